import { useEffect, useState } from "preact/hooks";

/** The value a while later, in milliseconds, for what is far down the page: the rest of the page is drawn first. */
export function useLater<T>(value: T, pause: number): T {
  const [late, setLate] = useState(() => value);
  useEffect(() => {
    const wait = setTimeout(() => setLate(() => value), pause);
    return () => clearTimeout(wait);
  }, [value, pause]);
  return late;
}
