/** Secrets such as applications keep, with values of 64 bytes. */
export const secretsOf = (count: number): readonly { readonly key: string; readonly value: string }[] =>
  Array.from({ length: count }, (_, i) => ({ key: `SERVICE_${i}_API_KEY`, value: `${i}`.padEnd(64, 'x') }));
