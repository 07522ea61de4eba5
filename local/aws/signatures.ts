import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

interface Claim {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: ReadonlySet<string>;
  readonly signature: string;
  readonly at: Date;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/aws4_request, *SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})$/;
const AMZ_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const PAYLOAD_HASH = 'x-amz-content-sha256';
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-amz-target'];
const MAX_SKEW_MS = 5 * 60_000;

const claimOf = (headers: IncomingHttpHeaders): Claim | undefined => {
  const [, accessKeyId = '', day, region = '', service = '', names = '', signature = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date']);
  if (day === undefined || !AMZ_DATE.test(date) || !date.startsWith(day)) return undefined;
  const at = new Date(date.replace(AMZ_DATE, '$1-$2-$3T$4:$5:$6Z'));
  return { accessKeyId, region, service, signedHeaders: new Set(names.split(';')), signature, at };
};

// Written so that an invalid date, whose time is NaN, is not recent.
const isRecent = (at: Date, now: Date): boolean => Math.abs(at.getTime() - now.getTime()) <= MAX_SKEW_MS;

const signedHeadersOf = ({ headers }: SignedRequest, { signedHeaders }: Claim): Record<string, string> =>
  Object.fromEntries([...signedHeaders].map((name) => [name, String(headers[name])]));

const signAgain = async (request: SignedRequest, claim: Claim, secret: string, payloadHash: string) => {
  const signer = new SignatureV4({
    credentials: { accessKeyId: claim.accessKeyId, secretAccessKey: secret },
    region: claim.region,
    service: claim.service,
    sha256: Sha256,
  });
  const { method, path } = request;
  // The hash of the payload is handed over in its header, which spares hashing it again in JavaScript. Whether that
  // header counts as one of the request's own is up to the list of signed headers.
  const headers = { ...signedHeadersOf(request, claim), [PAYLOAD_HASH]: payloadHash };
  const signed = await signer.sign(
    { method, protocol: 'http:', hostname: '', path, query: {}, headers },
    {
      signingDate: claim.at,
      signableHeaders: new Set(claim.signedHeaders),
      unsignableHeaders: new Set([PAYLOAD_HASH]),
    },
  );
  return AUTHORIZATION.exec(signed.headers.authorization ?? '')?.[6] ?? '';
};

const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Verifies the AWS Signature Version 4 of a request without a query (AWS General Reference, "Signing AWS API requests")
 * and returns the access key id that signed it. Returns undefined where the signature is missing or wrong, does not
 * cover host, date, target and body, is not from the last or next five minutes, or `secretOf` does not know the key.
 */
export const verifySignature = async (
  request: SignedRequest,
  secretOf: (accessKeyId: string) => string | undefined,
  now = new Date(),
): Promise<string | undefined> => {
  const claim = claimOf(request.headers);
  if (claim === undefined || !isRecent(claim.at, now)) return undefined;
  if (!MUST_BE_SIGNED.every((name) => claim.signedHeaders.has(name))) return undefined;
  if (![...claim.signedHeaders].every((name) => Object.hasOwn(request.headers, name))) return undefined;
  const payloadHash = createHash('sha256').update(request.body).digest('hex');
  if ((request.headers[PAYLOAD_HASH] ?? payloadHash) !== payloadHash) return undefined;
  const secret = secretOf(claim.accessKeyId);
  if (secret === undefined) return undefined;
  const expected = await signAgain(request, claim, secret, payloadHash);
  return sameText(expected, claim.signature) ? claim.accessKeyId : undefined;
};
