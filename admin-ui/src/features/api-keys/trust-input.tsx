import { Select, Textarea, TextInput } from '@mantine/core';
import type { KeyRow } from './key-queries.ts';
import { PRESETS } from './trust-presets.ts';

/** The proof of a trust, as it is edited. */
export interface TrustChoice {
  readonly preset: string;
  readonly issuer: string;
  /** JSON. */
  readonly match: string;
  /** JSON, or empty. */
  readonly jwks: string;
}

const choose = (preset: string): TrustChoice => {
  const { issuer = '', match = {} } = PRESETS[preset] ?? {};
  return { preset, issuer, match: JSON.stringify(match, null, 2), jwks: '' };
};

/** The first choice of a form. */
export const NEW_TRUST = choose('github');

/** The choice of the successor of a trust. */
export const trustOf = ({
  issuer = '',
  match,
  jwks,
}: { [Name in 'issuer' | 'match' | 'jwks']?: KeyRow[Name] | undefined }): TrustChoice => ({
  preset: 'other',
  issuer,
  match: JSON.stringify(match ?? {}, null, 2),
  jwks: jwks === undefined ? '' : JSON.stringify({ keys: jwks }),
});

const parsed = (name: string, text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not valid JSON.`);
  }
};

/** What is sent of a choice. Throws an error with a sentence for JSON that is not valid. */
export const proofOf = ({ issuer, match, jwks }: TrustChoice) => ({
  kind: 'trust' as const,
  issuer: issuer.trim(),
  match: parsed('Claims', match),
  ...(jwks.trim() === '' ? {} : { jwks: parsed('Public keys', jwks) }),
});

interface TrustInputProps {
  readonly value: TrustChoice;
  readonly onChange: (value: TrustChoice) => void;
}

/** Who the callers of a trust are: issuer and claims, from a preset. */
export const TrustInput = ({ value, onChange }: TrustInputProps) => (
  <>
    <Select
      label="Callers"
      data={Object.entries(PRESETS).map(([id, { label }]) => ({ value: id, label }))}
      value={value.preset}
      onChange={(preset) => preset !== null && onChange(choose(preset))}
    />
    <TextInput
      label="Issuer"
      description="Exactly as its tokens name it."
      value={value.issuer}
      onChange={(event) => onChange({ ...value, issuer: event.currentTarget.value })}
    />
    <Textarea
      label="Claims"
      description={`A token must have one of the values of each. ${PRESETS[value.preset]?.hint ?? ''}`}
      classNames={{ input: 'cv-mono' }}
      autosize
      minRows={3}
      spellCheck={false}
      value={value.match}
      onChange={(event) => onChange({ ...value, match: event.currentTarget.value })}
    />
    {['kubernetes', 'other'].includes(value.preset) && (
      <Textarea
        label="Public keys (JWK set)"
        description="Only for an issuer that Cuevault cannot reach. They are never refreshed: after a rotation, create another trust."
        classNames={{ input: 'cv-mono' }}
        spellCheck={false}
        value={value.jwks}
        onChange={(event) => onChange({ ...value, jwks: event.currentTarget.value })}
      />
    )}
  </>
);
