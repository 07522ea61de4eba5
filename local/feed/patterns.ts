/** Part of a pattern of an event source mapping. A field lists the values that match; omitted fields match anything. */
export type Pattern = { readonly [field: string]: Pattern | readonly unknown[] };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const matchesRule = (rule: unknown, value: unknown): boolean => {
  if (!isObject(rule)) return rule === value;
  const [[operator, operand] = [], ...others] = Object.entries(rule);
  if (others.length === 0 && operator === 'prefix' && typeof operand === 'string') {
    return typeof value === 'string' && value.startsWith(operand);
  }
  if (others.length === 0 && operator === 'exists') return (value !== undefined) === operand;
  throw new Error(`The filter ${JSON.stringify(rule)} is not supported here.`);
};

/**
 * Whether a record matches a pattern, as Lambda filters events (Lambda Developer Guide, "Filter rule syntax"): exact
 * values, `prefix` and `exists`. Throws on other rules.
 */
export const matchesPattern = (pattern: Pattern, record: unknown): boolean =>
  Object.entries(pattern).every(([field, rule]) => {
    const value = isObject(record) ? record[field] : undefined;
    return Array.isArray(rule)
      ? rule.some((each) => matchesRule(each, value))
      : matchesPattern(rule as Pattern, value);
  });
