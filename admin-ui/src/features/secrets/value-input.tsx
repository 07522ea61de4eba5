import { ActionIcon, Button, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { LIMITS, utf8Bytes } from '../../../../contract/limits.ts';
import { Small } from '../../components/basics.tsx';
import { CopyTextButton } from '../../components/code-block.tsx';
import { Icon } from '../../components/icons.tsx';
import { counted } from '../../components/locale.ts';

const KB = 1024;
const MOST_ROWS = 8;

export const faultOf = (value: string): string | undefined => {
  if (utf8Bytes(value) > LIMITS.secretValueBytes) {
    return `The value is longer than ${LIMITS.secretValueBytes / KB} KB.`;
  }
  return value.isWellFormed() ? undefined : 'The value contains half of a character pair (a lone surrogate).';
};

const linesOf = (value: string): number => value.split('\n').length;

const sizeOf = (value: string): string => {
  const lines = linesOf(value);
  const characters = [...value].length;
  const size = counted(characters, 'character');
  return lines === 1 ? size : `${size} on ${counted(lines, 'line')}`;
};

const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
};

/** The look of a field for secrets, and what keeps browsers from changing or remembering its text. */
export const secretText = (isShown: boolean) =>
  ({
    autoComplete: 'off',
    autoCapitalize: 'off',
    autoCorrect: 'off',
    spellCheck: false,
    classNames: { input: 'cv-mono' },
    // A password field would drop the line breaks of a pasted key.
    ...(!isShown && { styles: { input: { WebkitTextSecurity: 'disc' } as CSSProperties } }),
  }) as const;

interface ValueFieldProps {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

/** A field for a value, hidden while it is typed unless the operator shows it. */
export const ValueField = ({ label, description, value, onChange, autoFocus }: ValueFieldProps) => {
  const [shown, setShown] = useState(false);
  const hint = shown ? 'Hide the value' : 'Show the value';
  return (
    <Textarea
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={submitOnEnter}
      error={faultOf(value)}
      // Not "autosize", which would copy the value to another field to measure it.
      rows={Math.min(MOST_ROWS, linesOf(value))}
      data-autofocus={autoFocus || undefined}
      {...secretText(shown)}
      rightSection={
        <Tooltip label={hint}>
          <ActionIcon onClick={() => setShown(!shown)} aria-label="Show the value" aria-pressed={shown}>
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
};

const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** A field for a new value, which can be generated. */
export const ValueInput = (props: ValueFieldProps) => {
  const { value, onChange } = props;
  return (
    <Stack gap={6}>
      <ValueField
        {...props}
        description="It cannot be viewed again once it is saved. Shift+Enter adds a line."
      />
      <Group>
        <Button
          variant="default"
          onClick={() => onChange(randomHex())}
          title="256 random bits as 64 hexadecimal digits"
        >
          Generate
        </Button>
        {value !== '' && (
          <>
            <CopyTextButton text={value} label="the value" />
            <Small>{sizeOf(value)}</Small>
          </>
        )}
      </Group>
      <div role="status">
        {value !== value.trim() && (
          <Text size="xs" c="amber">
            The value begins or ends with whitespace.
          </Text>
        )}
      </div>
    </Stack>
  );
};
