/**
 * A list of whole numbers that grows in place. A draft holds a dozen of them with an entry for each value or name; kept
 * as plain arrays they were a tenth of all memory that facts took.
 */
export class NumberList {
  items = new Int32Array(1024);
  length = 0;

  push(item: number): void {
    if (this.length === this.items.length) this.grow();
    this.items[this.length++] = item;
  }

  private grow(): void {
    const larger = new Int32Array(this.items.length * 2);
    larger.set(this.items);
    this.items = larger;
  }
}
