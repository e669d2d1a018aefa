// Numbers as they stand in the file, made 32-bit ones.

// Kinds of numbers, in the order of KINDS.
export function convert(kind: i32, from: usize, count: u32, out: usize): void {
  const end = out + ((<usize>count) << 2);
  if (kind == 0) memory.copy(out, from, (<usize>count) << 2);
  else if (kind == 1) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<f64>(from));
  else if (kind == 2) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<i32>(from));
  else if (kind == 3) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<u32>(from));
  else if (kind == 4) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<i64>(from));
  else if (kind == 5) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<u64>(from));
  else if (kind == 6) for (; out < end; out += 4, from += 2) store<f32>(out, <f32>load<i16>(from));
  else if (kind == 7) for (; out < end; out += 4, from += 2) store<f32>(out, <f32>load<u16>(from));
  else if (kind == 8) for (; out < end; out += 4, from++) store<f32>(out, <f32>load<i8>(from));
  else for (; out < end; out += 4, from++) store<f32>(out, <f32>load<u8>(from));
}
