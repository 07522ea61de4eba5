import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MAIL_FILE } from '../../../contract/sign-in.ts';
import { ask } from '../admin.ts';
import type { SharedInstance } from '../calls.ts';
import { uniqueName } from '../unique-name.ts';

/** A new operator, invited by the administrator of the tests. */
export const anOperator = async (instance: SharedInstance, group = 'editor') => {
  const body = { emails: [`${uniqueName('operator')}@example.com`], group };
  return (await ask(instance, 'operators-invite', { body })).operators[0] as {
    operatorId: string;
    email: string;
  };
};

/** Makes one change of an operator, and returns the operator. */
export const changed = async (
  instance: SharedInstance,
  { operatorId }: { readonly operatorId: string },
  body: object,
) => (await ask(instance, 'operators-update', { params: { operatorId }, body })).operator;

/** The temporary password that an invited operator would get by mail. */
export const mailedPassword = ({ dataFolder }: SharedInstance, email: string): string => {
  const passwords = JSON.parse(readFileSync(path.join(dataFolder, MAIL_FILE), 'utf8')) as Record<
    string,
    string
  >;
  return passwords[email] ?? '';
};
