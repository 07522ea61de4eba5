/** How rows are signed: KMS receives the raw message and hashes it. */
export const SIGNING = { algorithm: 'ECDSA_SHA_256', messageType: 'RAW' } as const;

/** CloudFormation type of the public key, which a function fetches at deployment. */
export const PUBLIC_KEY_RESOURCE = 'Custom::CuevaultPublicKey';
