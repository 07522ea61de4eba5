import { readFileSync } from 'node:fs';
import {
  compileTemplate,
  InvalidRequestError,
  MissingVariablesError,
} from '../../../clients/typescript/src/index.ts';

interface Vector {
  readonly title: string;
  readonly template: string;
  readonly variables: Record<string, unknown>;
  readonly compiled: string;
  readonly missing: readonly string[];
}

const { vectors } = JSON.parse(readFileSync('test/vectors/templates.json', 'utf8')) as { vectors: Vector[] };

test.each(vectors)('compiles as the service does: $title', ({ template, variables, compiled, missing }) => {
  expect(compileTemplate(template, variables)).toBe(compiled);
  const strict = () => compileTemplate(template, variables, { strict: true });
  if (missing.length === 0) expect(strict()).toBe(compiled);
  else expect(strict).toThrow(expect.objectContaining({ code: 'missing_variables', variables: missing }));
});

test('the error of a strict compile names every missing variable and is also an InvalidRequestError', () => {
  const attempt = () => compileTemplate('{{a}} {{b}} {{a}}', {}, { strict: true });
  expect(attempt).toThrow(MissingVariablesError);
  expect(attempt).toThrow(InvalidRequestError);
  expect(attempt).toThrow(/"a", "b"/);
});

test('JavaScript values are compiled as if they had been sent as JSON', () => {
  const when = new Date(0);
  const values = { when, nan: Number.NaN, none: undefined, call: () => 1, list: [undefined, when] };
  expect(compileTemplate('{{when}} {{nan}} {{none}} {{call}} {{list}}', values)).toBe(
    '1970-01-01T00:00:00.000Z {{nan}} {{none}} {{call}} [null,"1970-01-01T00:00:00.000Z"]',
  );
});

test('a value that JSON cannot express is an InvalidRequestError that names the variable, not the value', () => {
  const circle: Record<string, unknown> = { secret: 'swordfish' };
  circle.self = circle;
  for (const value of [circle, 10n]) {
    expect(() => compileTemplate('{{x}}', { x: value })).toThrow(InvalidRequestError);
    expect(() => compileTemplate('{{x}}', { x: value })).toThrow(
      /^The variable "x" cannot be written as JSON\.$/,
    );
  }
});
