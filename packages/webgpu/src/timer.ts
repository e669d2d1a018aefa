import type { Gpu } from "./device.js";

/**
 * Milliseconds that kernels took in a sweep, by name, where the adapter measures them; and how many samples were scored (the others kept their
 * label by bounds), and how many of their labels settled in integers.
 */
export type Times = Readonly<Record<string, number>>;

const MOST = 512;
const QUERY = 0x200 | 0x4; // QUERY_RESOLVE | COPY_SRC
const READ = 0x1 | 0x8; // MAP_READ | COPY_DST

/** Measures kernels by timestamps. */
export class Timer {
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #readback: GPUBuffer;
  #names: string[] = [];

  constructor({ device }: Gpu) {
    this.#queries = device.createQuerySet({ type: "timestamp", count: 2 * MOST });
    this.#resolved = device.createBuffer({ size: 16 * MOST, usage: QUERY });
    this.#readback = device.createBuffer({ size: 16 * MOST, usage: READ });
  }

  /** What a compute pass of this kernel is begun with. */
  begin(name: string): GPUComputePassDescriptor {
    if (this.#names.length === MOST) return {};
    const at = 2 * this.#names.push(name) - 2;
    return {
      timestampWrites: { querySet: this.#queries, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 },
    };
  }

  /** Called behind the last pass. */
  resolve(encoder: GPUCommandEncoder): void {
    if (this.#names.length === 0) return;
    encoder.resolveQuerySet(this.#queries, 0, 2 * this.#names.length, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#readback, 0, 16 * this.#names.length);
  }

  async read(): Promise<Times> {
    const names = this.#names;
    this.#names = [];
    const times = new Map<string, number>();
    if (names.length > 0) {
      await this.#readback.mapAsync(0x1);
      const stamps = new BigUint64Array(this.#readback.getMappedRange(), 0, 2 * names.length);
      names.forEach((name, at) => {
        times.set(name, (times.get(name) ?? 0) + Number(stamps[2 * at + 1] - stamps[2 * at]) / 1e6);
      });
      this.#readback.unmap();
    }
    return Object.fromEntries(times);
  }

  close(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#readback.destroy();
  }
}
