// Sparse samples with their zeros: `count` rows whose offsets begin anywhere.
export function csrToDense32(offsets: usize, indices: usize, values: usize, count: i32, m: i32, to: usize): void {
  const row = (<usize>m) * 4;
  memory.fill(to, 0, (<usize>count) * row);
  let p = indices, v = values;
  for (let i: i32 = 0; i < count; i++, offsets += 4, to += row) {
    const end = p + (<usize>(load<u32>(offsets, 4) - load<u32>(offsets))) * 4;
    for (; p < end; p += 4, v += 4) store<f32>(to + (<usize>load<u32>(p)) * 4, load<f32>(v));
  }
}
