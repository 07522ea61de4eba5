import { toCsv as written } from '../../../admin-ui/src/components/tables/csv.ts';

const toCsv = (rows: readonly object[]): string => written(Object.keys(rows[0] ?? {}), rows);

test('the names are the header, without rows too, and lines end as RFC 4180 says', () => {
  expect(written(['a', 'b'], [])).toBe('a,b\r\n');
  expect(toCsv([{ a: 'x', b: 1 }, { a: 'y' }])).toBe('a,b\r\nx,1\r\ny,\r\n');
});

test('commas, quotes and line breaks stay in their cell', () => {
  expect(toCsv([{ a: 'one, two', b: 'say "hi"', c: 'up\ndown' }])).toBe(
    'a,b,c\r\n"one, two","say ""hi""","up\ndown"\r\n',
  );
});

test('no cell is a formula to a spreadsheet, also to one that separates cells by semicolons', () => {
  const cellOf = (value: string) => toCsv([{ value }]).slice('value\r\n'.length, -2);
  const texts = ['=1+1', '+1', '-1', '@sum', '\tx', 'a;=1+1', 'x\n@sum;-1', '\r=1'];
  const cells = ["'=1+1", "'+1", "'-1", "'@sum", "'\tx", `"a;'=1+1"`, `"x\n'@sum;'-1"`, `"'\r'=1"`];
  expect(texts.map(cellOf)).toEqual(cells);
  // However such a spreadsheet splits the line, no cell begins like a formula.
  for (const text of ['a;=1', '=a;+b;-c;@d', 'x\n=1;@y', 'a,"b;=1']) {
    for (const cell of toCsv([{ first: 'x', value: text }]).split(/[;\r\n]/)) {
      expect(cell).not.toMatch(/^[=+\-@\t]/);
    }
  }
});

test('objects are written as JSON, and absent values as nothing', () => {
  expect(toCsv([{ a: { b: 1 }, c: null, d: undefined, e: true }])).toBe('a,c,d,e\r\n"{""b"":1}",,,true\r\n');
});
