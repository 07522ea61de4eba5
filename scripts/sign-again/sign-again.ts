// Signs all rows with the current signing key: npm run sign-again
import { existsSync } from 'node:fs';
import path from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SignAgainReport } from '../../lambdas/store/signing/sign-again.ts';
import { connectTable } from '../../lambdas/store/table.ts';
import { readSigningKeys, writeSigningKeys } from '../../local/aws/signing-key-file.ts';
import { openDataFolder } from '../../local/data-folder.ts';
import { startInstance } from '../../local/instance.ts';
import { dataFolderOf } from '../../local/settings.ts';
import { runWithArguments } from '../aws/command.ts';
import { environmentOf, functionsOf } from '../aws/functions.ts';
import { CommandError } from '../aws/stack.ts';
import { counted } from '../counted.ts';
import { type SignBatch, signEveryRow } from './signed-rows.ts';

const JOB = 'sign-again';

const describe = ({ signed, refused }: SignAgainReport, then: string): string => {
  if (refused.length > 0) process.exitCode = 1;
  const problems = refused.map(({ pk, sk, reason }) => `  ${pk} / ${sk}: ${reason}`);
  return [
    `Signed ${counted(signed, 'row')}. ${then}`,
    ...(problems.length === 0
      ? []
      : [
          `Rows that do not verify: ${problems.length}. They were not changed, and readers reject them. See "A row is refused" in docs/operations.md:`,
          ...problems,
        ]),
  ].join('\n');
};

/** Moves a data folder to its next signing key, or completes an interrupted move. */
const signHere = async (): Promise<string> => {
  const dataFolder = dataFolderOf(process.env);
  if (!existsSync(path.join(dataFolder, 'table.sqlite'))) {
    throw new CommandError(
      `There is no table in ${dataFolder}: set CUEVAULT_DATA, or name a stage with --stage.`,
    );
  }
  const folder = openDataFolder(dataFolder);
  const { number, former } = readSigningKeys(dataFolder);
  const current = former === undefined ? number + 1 : number;
  if (former === undefined) writeSigningKeys(dataFolder, { number: current, former: number });
  folder.release();
  const onLog = (line: string) => process.stderr.write(line);
  const instance = await startInstance({ dataFolder, port: 0, sample: false, onLog });
  try {
    const report = await signEveryRow(instance.table, async (rows) => {
      const outcome = await instance.invoke(JOB, { rows });
      if ('failure' in outcome) throw new CommandError(`The rows could not be signed: ${outcome.failure}`);
      return outcome.reply as SignAgainReport;
    });
    writeSigningKeys(dataFolder, { number: current });
    return describe(report, 'The former key is dropped.');
  } finally {
    await instance.stop();
  }
};

const signWith =
  (lambda: LambdaClient, FunctionName: string): SignBatch =>
  async (rows) => {
    const { Payload, FunctionError } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify({ rows }) }),
    );
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new CommandError(`The rows could not be signed: ${text}`);
    return JSON.parse(text) as SignAgainReport;
  };

const signStage = async (stage: string): Promise<string> => {
  const name = (await functionsOf(stage))(JOB);
  const table = connectTable(await environmentOf(name));
  const report = await signEveryRow(table, signWith(new LambdaClient({}), name));
  return describe(report, 'No other row has the signature of a former key: deploy without formerPublicKeys.');
};

const USAGE = `Usage: npm run sign-again [-- --stage prod]

Verifies every row that a former signing key signed, and signs it with the current key. It can be interrupted and run
again. With --stage it works on a deployment after "signingKeyNumber" and "formerPublicKeys" are deployed. Without
--stage it works on the data folder of "npm start", which must not be running: it creates the next signing key, signs all
rows with it, and drops the former one.`;

await runWithArguments({ usage: USAGE, options: { stage: { type: 'string' } } }, async ({ values }) =>
  values.stage === undefined ? signHere() : signStage(values.stage),
);
