import { grow } from "./word-table.js";

/** A number for some pairs of numbers, found by hashing. */
export class Pairs {
  #size = 0;
  /** An open-addressing table of places plus 1, 0 for none: a power of two, at most half full. */
  #slots = new Int32Array(2048);
  #lefts = new Int32Array(1024);
  #rights = new Int32Array(1024);
  #numbers = new Int32Array(1024);

  /** The number of a pair, or −1. */
  get(left: number, right: number): number {
    const place = this.#slots[this.#find(left, right)];
    return place === 0 ? -1 : this.#numbers[place - 1];
  }

  /** Gives a number to a pair that has none. */
  set(left: number, right: number, number: number): void {
    const place = this.#size++;
    this.#lefts = grow(this.#lefts, this.#size);
    this.#rights = grow(this.#rights, this.#size);
    this.#numbers = grow(this.#numbers, this.#size);
    this.#lefts[place] = left;
    this.#rights[place] = right;
    this.#numbers[place] = number;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    else this.#slots[this.#find(left, right)] = this.#size;
  }

  /** The slot of a pair, or the free one where it belongs. */
  #find(left: number, right: number): number {
    const mask = this.#slots.length - 1;
    const hash = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = this.#slots[slot] - 1;
      if (this.#lefts[place] === left && this.#rights[place] === right) break;
    }
    return slot;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let place = 0; place < this.#size; place++) {
      this.#slots[this.#find(this.#lefts[place], this.#rights[place])] = place + 1;
    }
  }
}
