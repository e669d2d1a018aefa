import { useEffect, useRef } from "preact/hooks";

interface Props {
  /** Makes the element to show; called again when it changes. */
  readonly make: () => Element;
  readonly class?: string;
}

/** A view of the report inside the app. */
export function Mount({ make, class: name }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(make());
  }, [make]);
  return <div ref={place} class={name} />;
}
