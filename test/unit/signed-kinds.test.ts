import { rowMessage } from '../../lambdas/core/signing.ts';
import { json, list, number, records, signedKind, text } from '../../lambdas/store/signing/rows.ts';
import { toItem } from '../../lambdas/store/signing/writes.ts';

const BASE = {
  domain: 'thing',
  keyOf: ({ id }: { readonly id: string }) => ({ pk: id, sk: 'THING' }),
  revisionOf: () => 1,
};
const FIELDS = { id: text, size: number, tags: list(), extra: json<unknown>(), labels: records('a', 'b') };
const THING = { id: '1', size: 2, tags: ['x'], extra: { deep: [1e300] }, labels: [{ a: '1', b: '2' }] };

const former = signedKind({ ...BASE, fields: FIELDS, optional: { since: text } });
const later = signedKind({ ...BASE, fields: FIELDS, optional: { chat: json<string[]>(), since: text } });
const reordered = signedKind({ ...BASE, fields: FIELDS, optional: { since: text, chat: json<string[]>() } });

const signed = (fields: Parameters<typeof rowMessage>[1]) =>
  rowMessage({ domain: 'd', stage: 's', pk: 'p', sk: 's', revision: 1 }, fields).toString();

test('a field that is added later changes no row that does not have it', () => {
  for (const thing of [THING, { ...THING, since: 'today' }]) {
    expect(later.fieldsOf(thing)).toEqual(former.fieldsOf(thing));
    expect(later.fromItem(toItem(former, thing))).toEqual(thing);
  }
});

test('a field that a row has is signed by its name, wherever it is declared', () => {
  const chat = { ...THING, chat: ['hello'], since: 'today' };
  expect(signed(reordered.fieldsOf(chat))).toBe(signed(later.fieldsOf(chat)));
  const others = [THING, { ...THING, since: 'today' }, { ...chat, chat: ['other'] }, { ...chat, since: 'x' }];
  const messages = [chat, ...others, { ...THING, chat: ['hello'] }].map((each) =>
    signed(later.fieldsOf(each)),
  );
  expect(new Set(messages).size).toBe(messages.length);
});

test('a row is read as it was written, whatever order the table returns attributes in', () => {
  const item = toItem(later, { ...THING, chat: ['__proto__'] });
  const read = later.fromItem({ ...item, labels: [{ b: '2', a: '1' }], unknown: 'left out' });
  expect(read).toEqual({ ...THING, chat: ['__proto__'] });
  expect(signed(later.fieldsOf(read))).toBe(signed(later.fieldsOf({ ...THING, chat: ['__proto__'] })));
});
