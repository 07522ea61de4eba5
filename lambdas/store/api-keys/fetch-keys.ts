import { lookup } from 'node:dns';
import { get as getOverHttp } from 'node:http';
import { get } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isObject } from '../../../contract/fields/patterns.ts';
import type { SigningJwk } from '../../../contract/issuers.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { addressAllowed } from '../../core/api-keys/addresses.ts';
import { signingKeys } from '../../core/api-keys/jwks.ts';
import { isIssuer } from '../../core/api-keys/match.ts';

const TIMEOUT_MS = 5_000;

/** What no issuer is at: loopback, link-local, private and reserved ranges (IANA), and what is mapped or tunnelled to them. */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

/** Whether an address is public: a service may call it without reaching itself or its neighbours. */
export const isPublicAddress = (address: string): boolean =>
  addressAllowed(address, ['0.0.0.0/0', '2000::/3']) && !addressAllowed(address, NOT_PUBLIC);

// At the address that is connected to: a name may have another one at the next look-up.
const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses = []) => {
    const [first] = addresses;
    if (error !== null || first === undefined) return callback(error ?? new Error('no address'), []);
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused !== undefined)
      return callback(new Error(`${hostname} has the address ${refused.address}, which is not public.`), []);
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });

const readJson = (address: string, isLocal: boolean): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const options = {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      agent: false,
      headers: { accept: 'application/json' },
    };
    const send = isLocal
      ? getOverHttp.bind(undefined, address, options)
      : get.bind(undefined, address, { ...options, lookup: lookupPublic });
    const request = send((response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // A redirect is refused like any other answer: it would lead past the checks.
      if (response.statusCode !== 200)
        return void request.destroy(new Error(`${address} answered with status ${response.statusCode}.`));
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > LIMITS.issuerDocumentBytes)
          request.destroy(
            new Error(`${address} answered with more than ${LIMITS.issuerDocumentBytes} bytes.`),
          );
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        } catch {
          reject(new Error(`${address} did not answer with JSON.`));
        }
      });
    });
    request.on('error', (error) =>
      reject(
        error.name === 'TimeoutError' ? new Error(`${address} did not answer within 5 seconds.`) : error,
      ),
    );
  });

/**
 * Fetches the public keys of an issuer, by its discovery document. Only https, without redirects, at public addresses,
 * within 5 s and 64 KB; `local` is the one issuer that is fetched without these. Throws an error with a sentence for
 * operators.
 */
export const fetchIssuerKeys = async (issuer: string, local?: string): Promise<readonly SigningJwk[]> => {
  const isLocal = issuer === local;
  if (!isLocal && !isIssuer(issuer)) throw new Error(`${issuer} is not the https address of an issuer.`);
  const found = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, isLocal);
  if (!isObject(found) || found.issuer !== issuer)
    throw new Error(`The document at ${issuer} names another issuer.`);
  const address = String(found.jwks_uri);
  const url = URL.parse(address);
  const isAllowed = isLocal
    ? url?.origin === new URL(issuer).origin
    : url?.protocol === 'https:' && url.username === '' && !/^[\d.]+$|:/.test(url.hostname);
  if (!isAllowed) throw new Error(`${issuer} names ${address}, which is not the https address of keys.`);
  return signingKeys(await readJson(address, isLocal));
};
