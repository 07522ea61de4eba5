/** How rows are signed: KMS takes the message as it is and hashes it itself. */
export const SIGNING = { algorithm: 'ECDSA_SHA_256', messageType: 'RAW' } as const;

/** CloudFormation's type for the public key that a function of ours fetches at deployment. */
export const PUBLIC_KEY_RESOURCE = 'Custom::CuevaultPublicKey';
