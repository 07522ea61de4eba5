/** What is wrong with a prompt file, and where; lines and columns count from 1. */
export class PromptFileError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(problem: string, { line, column }: { readonly line: number; readonly column: number }) {
    super(`Line ${line}, column ${column}: ${problem}`);
    this.name = 'PromptFileError';
    this.line = line;
    this.column = column;
  }
}

/** Throws a `PromptFileError` at an offset of a text. */
export type Refuse = (problem: string, offset: number) => never;

/** Refuses with positions in `text`. */
export const refuseIn =
  (text: string): Refuse =>
  (problem, offset) => {
    const before = text.slice(0, offset).split('\n');
    throw new PromptFileError(problem, { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  };
