/**
 * Small numbers that are given to some of many things, for one question at a time: a map for each question would be most
 * of the work. A question that was broken off leaves nothing to the next.
 */
export class Numbering {
  private numbers = new Int32Array(1024);
  /** The question by which each was numbered last. */
  private askedBy = new Int32Array(1024);
  private question = 0;

  begin(): void {
    this.question++;
  }

  /** -1 where it has none. */
  of(thing: number): number {
    return this.askedBy[thing] === this.question ? this.numbers[thing]! : -1;
  }

  set(thing: number, number: number): void {
    if (thing >= this.numbers.length) {
      this.numbers = longer(this.numbers, thing);
      this.askedBy = longer(this.askedBy, thing);
    }
    this.numbers[thing] = number;
    this.askedBy[thing] = this.question;
  }
}

function longer(array: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * (index + 1));
  grown.set(array);
  return grown;
}
