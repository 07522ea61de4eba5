import {
  ActionIcon,
  Button,
  Group,
  Popover,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDice5, IconEye, IconEyeOff } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { counted } from '../../../components/count.ts';
import { Small } from '../../../components/small.tsx';
import { ALPHABETS, type AlphabetName, bitsOf, randomText } from './random-text.ts';
import classes from './value-input.module.css';

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

export interface ValueInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A field for a value, hidden while it is typed unless the operator shows it. */
export const ValueInput = ({ label, value, onChange, autoFocus = false }: ValueInputProps) => {
  const [shown, setShown] = useState(false);
  const hint = shown ? 'Hide the value' : 'Show the value';
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        description="It cannot be viewed again once it is saved. Shift+Enter adds a line."
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={submitOnEnter}
        error={faultOf(value)}
        // Not "autosize", which would copy the value to another field to measure it.
        rows={Math.min(MOST_ROWS, linesOf(value))}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        data-autofocus={autoFocus || undefined}
        classNames={{ input: shown ? (classes.input ?? '') : `${classes.input} ${classes.hidden}` }}
        rightSection={
          <Tooltip label={hint}>
            <ActionIcon onClick={() => setShown(!shown)} aria-label="Show the value" aria-pressed={shown}>
              {shown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        }
      />
      <Group gap="xs">
        <ValueGenerator onValue={onChange} />
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

const SHORTEST = 8;
const LONGEST = 1024;
const NAMES = Object.keys(ALPHABETS) as AlphabetName[];

const ValueGenerator = ({ onValue }: { onValue: (value: string) => void }) => {
  const [opened, { toggle, close }] = useDisclosure();
  const [length, setLength] = useState('32');
  const [name, setName] = useState<AlphabetName>('Letters and digits');
  const size = Math.min(LONGEST, Math.max(SHORTEST, Math.trunc(Number(length) || SHORTEST)));
  const generate = () => {
    onValue(randomText(size, ALPHABETS[name]));
    close();
  };
  return (
    <Popover opened={opened} onChange={close} position="bottom-start" width={260} trapFocus withArrow>
      <Popover.Target>
        <Button
          variant="default"
          onClick={toggle}
          leftSection={<IconDice5 size={15} aria-hidden />}
          aria-expanded={opened}
        >
          Generate…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Generate a value">
        <Stack gap="xs">
          <Select
            size="xs"
            label="Characters"
            data={NAMES}
            value={name}
            onChange={(next) => setName(NAMES.find((known) => known === next) ?? 'Letters and digits')}
            comboboxProps={{ withinPortal: false }}
          />
          <TextInput
            type="number"
            size="xs"
            label="Length"
            value={length}
            onChange={(event) => setLength(event.currentTarget.value)}
            min={SHORTEST}
            max={LONGEST}
          />
          <Small>{bitsOf(size, ALPHABETS[name])} bits of entropy</Small>
          <Button onClick={generate}>Generate</Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
