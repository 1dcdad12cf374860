/** Counts files that are done out of those known so far, and tells whoever shows it. */
export class Progress {
  readonly #tell: ((done: number, total: number) => void) | undefined;
  #done = 0;
  #total = 0;

  constructor(tell: ((done: number, total: number) => void) | undefined) {
    this.#tell = tell;
  }

  /** More files may be found as others are read; the total never shrinks. */
  expect(total: number): void {
    this.#total = Math.max(this.#total, total);
  }

  add(count: number): void {
    if (count === 0) return;
    this.#done += count;
    this.#tell?.(this.#done, Math.max(this.#done, this.#total));
  }
}
