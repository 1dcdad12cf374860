/** The styles a report uses. Without colour each returns its text unchanged: colour carries nothing that words do not. */
export interface Paint {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly path: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;
const sgr = (open: string, close: string) => (text: string): string => `\u001b[${open}m${text}\u001b[${close}m`;

export const PLAIN: Paint = { error: same, warning: same, path: same, strong: same, faint: same };

export const COLOURED: Paint = {
  error: sgr("31", "39"),
  warning: sgr("33", "39"),
  path: sgr("4", "24"),
  strong: sgr("1", "22"),
  faint: sgr("2", "22"),
};
