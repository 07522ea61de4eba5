import fc from 'fast-check';
import { replyBytes } from '../../../contract/limits.ts';

const doublyEscaped = (text: string): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - JSON.stringify(JSON.stringify('')).length;

test('the size is that of the text as JSON inside JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(replyBytes(text)).toBe(doublyEscaped(text));
    }),
  );
});

test('the size is correct for every character of one code unit', () => {
  for (let unit = 0; unit < 0x1_0000; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const text = String.fromCharCode(unit);
    if (replyBytes(text) !== doublyEscaped(text)) throw new Error(`wrong for U+${unit.toString(16)}`);
  }
});
