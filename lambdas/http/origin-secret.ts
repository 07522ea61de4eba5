import { hash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { ORIGIN_SECRET } from '../../contract/http/security-headers.ts';
import { CuevaultError } from '../core/errors.ts';
import { CLIENT_OPTIONS } from '../store/connect.ts';
import { mapAwsErrors } from '../store/failures.ts';

const digest = (text: string) => hash('sha256', text, 'buffer');

const readSecret = async (client: SecretsManagerClient, SecretId: string) => {
  const { SecretString } = await mapAwsErrors(client.send(new GetSecretValueCommand({ SecretId })));
  if (!SecretString) throw new Error('The secret of the admin site is empty.');
  return digest(SecretString);
};

/**
 * Returns a function that accepts a header with the value of one of the secrets. They are read at the first call, and
 * compared in constant time. While one cannot be read, the others are accepted, and each call reads all again.
 */
export const createOriginCheck = (secretArns: readonly string[], client: SecretsManagerClient) => {
  let secrets: Promise<PromiseSettledResult<Buffer>[]> | undefined;
  return async (header = ''): Promise<void> => {
    const given = digest(header);
    secrets ??= Promise.allSettled(secretArns.map((arn) => readSecret(client, arn)));
    const read = await secrets;
    const failed = read.find((one) => one.status === 'rejected');
    if (failed) secrets = undefined;
    const matches = read.map((one) => one.status === 'fulfilled' && timingSafeEqual(one.value, given));
    if (matches.includes(true)) return;
    if (failed === undefined)
      throw new CuevaultError('forbidden', 'Call the admin API at the address of the admin site.');
    const cause = failed.reason as unknown;
    throw new CuevaultError('unavailable', 'A secret of the admin site cannot be read. Try again shortly.', {
      cause,
    });
  };
};

let check: ReturnType<typeof createOriginCheck> | undefined;

/** Refuses a call that did not come through the admin site, if the stack has secrets for it. */
export const assertFromSite = async (
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<void> => {
  const arns = process.env[ENVIRONMENT.originSecrets];
  if (arns === undefined) return;
  check ??= createOriginCheck(arns.split(' '), new SecretsManagerClient(CLIENT_OPTIONS));
  await check(headers[ORIGIN_SECRET]);
};
