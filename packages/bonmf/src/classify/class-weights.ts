/** The weight of the samples of each class. @param weights of samples; null: 1 each */
export function sizeClasses(y: Uint32Array, classes: number, weights: Float64Array | null): Float64Array {
  const sizes = new Float64Array(classes);
  for (let i = 0; i < y.length; i++) sizes[y[i]] += weights ? weights[i] : 1;
  return sizes;
}

/** What a sample of each class is worth where all classes count alike; a class without samples is worth nothing. */
export function balanceClasses(sizes: Float64Array): Float64Array {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => (size > 0 ? total / (sizes.length * size) : 0));
}
