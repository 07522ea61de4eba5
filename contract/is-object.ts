/** Whether a value is an object of JSON. Apart from the schemas, which the admin UI does not load. */
export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
