import type { Gpu } from "./device.js";
import { makeBuffer } from "./parts.js";

/** Bytes that are filled at a time, and how many such buffers take turns. */
const CHUNK_BYTES = 2 ** 23;
const RING = 4;

const UPLOAD = 0x2 | 0x4; // MAP_WRITE | COPY_SRC

/**
 * Copies numbers to the GPU through buffers that take turns: while one is copied, the next is filled. `writeBuffer` would stage
 * everything in memory that nobody has used yet.
 */
export class Upload {
  readonly #gpu: Gpu;
  readonly #ring: { readonly buffer: GPUBuffer; free: Promise<unknown> }[] = [];
  #turn = 0;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /**
   * @param to OUT a buffer, from its begin
   * @param rows how many rows there are, of so many bytes each
   * @param fill OUT writes rows from … from + count − 1 into the memory, which may hold anything
   */
  async write(
    to: GPUBuffer,
    rows: number,
    rowBytes: number,
    fill: (memory: ArrayBuffer, from: number, count: number) => void,
  ): Promise<void> {
    const { device } = this.#gpu;
    const each = Math.max(1, Math.floor(CHUNK_BYTES / rowBytes));
    for (let from = 0; from < rows; from += each) {
      const count = Math.min(each, rows - from);
      const slot = await this.#next(count * rowBytes);
      const { buffer } = slot;
      fill(buffer.getMappedRange(0, count * rowBytes), from, count);
      buffer.unmap();
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, to, from * rowBytes, count * rowBytes);
      device.queue.submit([encoder.finish()]);
      slot.free = buffer.mapAsync(0x2);
      // Awaited when it is this buffer's turn again, if ever.
      slot.free.catch(() => {});
    }
  }

  /** A buffer that is mapped. */
  async #next(bytes: number): Promise<{ readonly buffer: GPUBuffer; free: Promise<unknown> }> {
    const at = this.#turn++ % RING;
    const own = this.#ring[at];
    if (own !== undefined) await own.free;
    if (own !== undefined && own.buffer.size >= bytes) return own;
    own?.buffer.destroy();
    const buffer = await makeBuffer(this.#gpu, Math.max(bytes, CHUNK_BYTES), UPLOAD);
    const made = { buffer, free: Promise.resolve() };
    await buffer.mapAsync(0x2);
    this.#ring[at] = made;
    return made;
  }

  close(): void {
    for (const { buffer } of this.#ring) buffer.destroy();
  }
}
