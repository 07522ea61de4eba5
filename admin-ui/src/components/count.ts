/** A count with its noun, such as `1 API key` or `1,204 fetches`, in the digits of the browser's language. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;
