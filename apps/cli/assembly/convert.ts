// Numbers of any type to f32.

// `type` is a place in NUMBER_TYPES, see read/direct/parquet/job.
export function convert(type: i32, from: usize, count: u32, out: usize): void {
  const end = out + ((<usize>count) << 2);
  if (type == 0) memory.copy(out, from, (<usize>count) << 2);
  else if (type == 1) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<f64>(from));
  else if (type == 2) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<i32>(from));
  else if (type == 3) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<u32>(from));
  else if (type == 4) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<i64>(from));
  else if (type == 5) for (; out < end; out += 4, from += 8) store<f32>(out, <f32>load<u64>(from));
  // Small integers are stored in four bytes, the lowest first; the others are not looked at.
  else if (type == 6) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<i8>(from));
  else if (type == 7) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<u8>(from));
  else if (type == 8) for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<i16>(from));
  else for (; out < end; out += 4, from += 4) store<f32>(out, <f32>load<u16>(from));
}
