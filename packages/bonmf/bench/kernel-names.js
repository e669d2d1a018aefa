/** Function numbers and export names, from the export section of a module. */
export function nameKernels(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const names = new Map();
  while (at < bytes.length) {
    const section = bytes[at++];
    const end = number() + at;
    if (section === 7) {
      for (let count = number(); count > 0; count--) {
        const length = number();
        const text = bytes.toString("utf8", at, at + length);
        at += length;
        const isFunction = bytes[at++] === 0;
        const index = number();
        if (isFunction) names.set(index, text);
      }
    }
    at = end;
  }
  return names;
}
