import { Button, NumberInput, Popover, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDice5 } from '@tabler/icons-react';
import { useState } from 'react';
import { Small } from '../../../components/small.tsx';
import { ALPHABETS, type AlphabetName, bitsOf, randomText } from './random-text.ts';

const SHORTEST = 8;
const LONGEST = 1024;
const NAMES = Object.keys(ALPHABETS) as AlphabetName[];

/** Generates a random value. */
export const ValueGenerator = ({ onValue }: { onValue: (value: string) => void }) => {
  const [opened, { toggle, close }] = useDisclosure();
  const [length, setLength] = useState<number | string>(32);
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
          <NumberInput
            size="xs"
            label="Length"
            value={length}
            onChange={setLength}
            min={SHORTEST}
            max={LONGEST}
            allowDecimal={false}
          />
          <Small>{bitsOf(size, ALPHABETS[name])} bits of entropy</Small>
          <Button onClick={generate}>Generate</Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
