interface AutoProps {
  readonly id: string;
  /** Null: the default. */
  readonly value: number | null;
  readonly set: (value: number | null) => void;
}

/** A number, or nothing: the app decides. */
export function AutoField({ id, value, set }: AutoProps) {
  return (
    <input
      id={id}
      inputMode="numeric"
      placeholder="auto"
      value={value ?? ""}
      onChange={({ currentTarget }) => {
        const typed = Number(currentTarget.value);
        const next = Number.isInteger(typed) && typed > 0 ? typed : null;
        currentTarget.value = next === null ? "" : String(next);
        set(next);
      }}
    />
  );
}
