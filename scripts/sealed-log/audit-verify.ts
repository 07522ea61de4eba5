// npm run audit:verify: verifies the sealed audit log and compares the table with it.
// npm run audit:search (with --search): searches the log, which keeps what the table no longer has.
import { appendFileSync, writeFileSync } from 'node:fs';
import { runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { counted } from '../counted.ts';
import { LOG_OPTIONS, openLog } from './open.ts';
import type { Finding } from './verification/objects.ts';
import { type Verification, verifyAudit } from './verification/verify.ts';

const VERIFY = `Usage: npm run audit:verify -- [--stage STAGE] [--from DAY] [--to DAY] [--public-key FILE] [--export FILE]
       npm run audit:verify -- --folder COPY --public-key FILE [--from DAY] [--to DAY] [--export FILE]

Verifies the sealed audit log and lists what is missing, changed or unsealed in the table. Without --stage it works on the
data folder of "npm start", which may be running. With --folder it verifies a copy of the bucket with nothing but the
public keys in a file. --export writes the sealed entries of the days to a file, as JSON Lines.`;

const SEARCH = `Usage: npm run --silent audit:search -- [--stage STAGE] [--from DAY] [--to DAY] [TEXT...]
       npm run --silent audit:search -- --folder COPY --public-key FILE [--from DAY] [--to DAY] [TEXT...]

Prints the sealed audit entries of the days that contain every TEXT, whatever its case, as JSON Lines: the id of an API key
or of a secret, an address, an action such as "label.set". It finds what has expired in the table. Without --stage it works
on the data folder of "npm start", which may be running.`;

const MOST_LINES = 200;
const MOST_TEXTS = 20;

const OPTIONS = {
  ...LOG_OPTIONS,
  export: { type: 'string' },
  search: { type: 'boolean', default: false },
} as const;

const lineOf = ({ kind, subject, problem }: Finding): string => `${kind.padEnd(8)} ${subject}: ${problem}`;

const reportOf = ({ findings, objects, entries, last, pending }: Verification, isCopy: boolean): string => {
  const end = last === undefined ? '' : `, the last one number ${last.number}, sealed up to ${last.to}`;
  const lines = [
    `Verified ${counted(objects, 'sealed object')} with ${counted(entries, 'entry', 'entries')} of these days${end}.`,
    ...(isCopy ? [] : [`Newer entries that are not sealed yet: ${pending}.`]),
    ...findings.slice(0, MOST_LINES).map(lineOf),
    ...(findings.length > MOST_LINES ? [`… and ${findings.length - MOST_LINES} more.`] : []),
    findings.length === 0
      ? 'Nothing is missing, changed or unsealed.'
      : `${counted(findings.length, 'finding')}. See "Findings" in docs/operations.md.`,
  ];
  return lines.join('\n');
};

const isSearch = process.argv.includes('--search');
const usage = isSearch ? SEARCH : VERIFY;
const counts = Array.from({ length: isSearch ? MOST_TEXTS : 1 }, (_, count) => count);

await runWithArguments({ usage, options: OPTIONS, counts }, async ({ values, positionals }) => {
  const { from, to, export: file } = values;
  if (isSearch && file !== undefined) throw new CommandError(`Unknown option '--export'.\n\n${usage}`);
  const source = await openLog(values, usage);
  const texts = positionals.map((text) => text.toLowerCase());
  let found = 0;
  try {
    if (file !== undefined) writeFileSync(file, '', { mode: 0o600 });
    const verification = await verifyAudit({
      verifier: source.verifier,
      objects: source.objects,
      now: new Date(),
      from,
      to,
      ...(!isSearch && source.table && { table: source.table }),
      onEntries: (sealed) => {
        const wanted = sealed.filter(({ line }) => texts.every((text) => line.toLowerCase().includes(text)));
        const lines = wanted.map(({ line }) => `${line}\n`).join('');
        found += wanted.length;
        if (isSearch) process.stdout.write(lines);
        if (file !== undefined) appendFileSync(file, lines);
      },
    });
    const { findings, entries } = verification;
    if (findings.length > 0) process.exitCode = 1;
    if (!isSearch) return reportOf(verification, source.table === undefined);
    const doubt = findings.length > 0 ? ' The log is not intact: run "npm run audit:verify".' : '';
    console.error(`Found ${counted(found, 'entry', 'entries')} of ${entries}.${doubt}`);
    return undefined;
  } finally {
    await source.close();
  }
});
