import { useEffect, useState } from "preact/hooks";

/** Milliseconds: a few frames. */
const PAUSE = 80;

/** The value a moment later, for what is far down the page: the rest of the page is drawn first. */
export function useLater<T>(value: T): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const wait = setTimeout(() => setLate(() => value), PAUSE);
    return () => clearTimeout(wait);
  }, [value]);
  return late;
}
