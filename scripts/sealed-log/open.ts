import { dataFolderOf } from '../../local/settings.ts';
import type { Given } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { openCopy } from './copy.ts';
import { openHere } from './here.ts';
import type { Source } from './source.ts';
import { openStage } from './stage.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The options that name a sealed log and its days. */
export const LOG_OPTIONS = {
  stage: { type: 'string' },
  folder: { type: 'string' },
  'public-key': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

type Values = Given<typeof LOG_OPTIONS>['values'];

/** Opens the log that the options name. Errors: `CommandError` with the usage; those of AWS. */
export const openLog = async (
  { stage, folder, 'public-key': publicKey, from, to }: Values,
  usage: string,
): Promise<Source> => {
  for (const day of [from, to])
    if (day !== undefined && !DAY.test(day))
      throw new CommandError(`Give days as YYYY-MM-DD, not "${day}".\n\n${usage}`);
  if (folder === undefined)
    return stage === undefined ? openHere(dataFolderOf(process.env), publicKey) : openStage(stage, publicKey);
  if (publicKey === undefined || stage !== undefined)
    throw new CommandError(`--folder needs --public-key, and no --stage.\n\n${usage}`);
  return openCopy(folder, publicKey);
};
