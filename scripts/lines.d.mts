interface Lines {
  readonly product: number;
  readonly tests: number;
}
export declare const MOST_LINES: Lines;
export declare const countLines: () => Lines;
