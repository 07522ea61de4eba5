import { Input, SegmentedControl } from '@mantine/core';
import { nextVersion, type VersionPart } from '../../../../../contract/versions.ts';
import { Small } from '../../../components/small.tsx';

const PARTS = [
  {
    part: 'major',
    title: 'Major',
    meaning: 'Something that callers may have to adapt to.',
  },
  { part: 'minor', title: 'Minor', meaning: 'Something new that callers do not need to know about.' },
  { part: 'patch', title: 'Patch', meaning: 'Same meaning, better wording.' },
] as const;

export interface BumpInputProps {
  /** The highest version so far. */
  readonly highest: string;
  readonly value: VersionPart;
  readonly onChange: (part: VersionPart) => void;
}

/** The part of the version to increment, with the resulting version. */
export const BumpInput = ({ highest, value, onChange }: BumpInputProps) => (
  <Input.Wrapper label="Version" labelElement="div">
    <SegmentedControl
      fullWidth
      size="xs"
      styles={{ label: { whiteSpace: 'normal' } }}
      aria-label="Which part of the version to increment"
      value={value}
      onChange={(next) => onChange(next as VersionPart)}
      data={PARTS.map(({ part, title }) => ({
        value: part,
        label: `${title} · ${nextVersion(highest, part)}`,
      }))}
    />
    <Small mt={4}>{PARTS.find(({ part }) => part === value)?.meaning}</Small>
  </Input.Wrapper>
);
