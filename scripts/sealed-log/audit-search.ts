// Searches the sealed audit log, which keeps what the table no longer has: npm run audit:search
import type { SealedEntry } from '../../lambdas/core/seal/entries.ts';
import { runWithArguments } from '../aws/command.ts';
import { counted } from '../counted.ts';
import { LOG_OPTIONS, openLog } from './open.ts';
import { verifyAudit } from './verification/verify.ts';

const USAGE = `Usage: npm run --silent audit:search -- [--stage STAGE] [--from DAY] [--to DAY] [TEXT...]
       npm run --silent audit:search -- --folder COPY --public-key FILE [--from DAY] [--to DAY] [TEXT...]

Prints the sealed audit entries of the days that contain every TEXT, whatever its case, as JSON Lines: the id of an API key
or of a secret, an address, an action such as "label.set". It finds what has expired in the table. Without --stage it works
on the data folder of "npm start", which may be running.`;

/** Accepted numbers of texts. */
const TEXTS = Array.from({ length: 20 }, (_, count) => count);

const matcher = (texts: readonly string[]): ((entry: SealedEntry) => boolean) => {
  const wanted = texts.map((text) => text.toLowerCase());
  return ({ line }) => wanted.every((text) => line.toLowerCase().includes(text));
};

await runWithArguments(
  { usage: USAGE, options: LOG_OPTIONS, counts: TEXTS },
  async ({ values, positionals }) => {
    const source = await openLog(values, USAGE);
    const isWanted = matcher(positionals);
    let found = 0;
    try {
      const { findings, entries } = await verifyAudit({
        ...{ verifier: source.verifier, objects: source.objects, now: new Date() },
        ...{ from: values.from, to: values.to },
        onEntries: (sealed) => {
          const lines = sealed.filter(isWanted).map(({ line }) => `${line}\n`);
          found += lines.length;
          process.stdout.write(lines.join(''));
        },
      });
      if (findings.length > 0) process.exitCode = 1;
      const doubt = findings.length > 0 ? ' The log is not intact: run "npm run audit:verify".' : '';
      console.error(`Found ${counted(found, 'entry', 'entries')} of ${entries}.${doubt}`);
      return undefined;
    } finally {
      await source.close();
    }
  },
);
