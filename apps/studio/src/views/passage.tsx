import type { Piece } from "bonmf-report";

/** A text with marked words. */
export function Passage({ pieces }: { readonly pieces: readonly Piece[] }) {
  // Pieces have no names of their own, and never change their order.
  return <>{pieces.map(({ text, marked }, place) => (marked ? <mark key={place}>{text}</mark> : text))}</>;
}
