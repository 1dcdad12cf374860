/** Bits for each name; with two of them set, one name in twenty that is not there seems to be. */
const BITS = 8;

/**
 * Which names a module writes, in one byte each: whether a function can be called there is asked of every module that loads
 * its own, and most have to be read again for it. What it does not hold is not there; what it holds may be.
 */
export class NameFilter {
  private readonly bits: Uint32Array;

  constructor(names: ReadonlySet<string>) {
    this.bits = new Uint32Array(Math.ceil((names.size * BITS) / 32) + 1);
    for (const name of names) {
      const hash = hashOf(name);
      for (const bit of this.placesOf(hash)) this.bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** By `hashOf`. */
  mayHold(hash: number): boolean {
    return this.placesOf(hash).every((bit) => (this.bits[bit >>> 5]! & (1 << (bit & 31))) !== 0);
  }

  private placesOf(hash: number): readonly [number, number] {
    const size = this.bits.length * 32;
    return [(hash >>> 0) % size, (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) % size];
  }
}

/** FNV-1a over the units of the text (G. Fowler, L. C. Noll, K. Vo). */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash;
}
