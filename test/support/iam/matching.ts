/** Throws on a value that contains a policy variable, such as `${aws:username}`. */
export const refuseVariable = (value: string): void => {
  if (value.includes('${'))
    throw new Error(`The policy variable in ${value} is not supported by the local policy evaluation.`);
};

const toExpression = (pattern: string): RegExp => {
  refuseVariable(pattern);
  const source = pattern
    .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'su');
};

/** Whether `value` matches a pattern in which `*` matches any run of characters and `?` any single character. */
export const matchesGlob = (pattern: string, value: string): boolean => toExpression(pattern).test(value);

const ARN_PARTS = 6;

const splitArn = (arn: string): readonly string[] | undefined => {
  const parts = arn.split(':');
  return parts.length < ARN_PARTS
    ? undefined
    : [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
};

/** Whether an ARN matches a pattern, part by part: a wildcard does not span a colon, except in the last part. */
export const matchesArn = (pattern: string, arn: string): boolean => {
  if (pattern === '*') return true;
  const patterns = splitArn(pattern);
  if (patterns === undefined) throw new Error(`${pattern} is not an ARN.`);
  const parts = splitArn(arn);
  return parts !== undefined && patterns.every((part, i) => matchesGlob(part, parts[i] ?? ''));
};
