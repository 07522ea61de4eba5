import {
  Alert,
  Group,
  JsonInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { compile, variablesOf } from '../../../../../contract/templates.ts';
import { CopyTextButton } from '../../../components/copy-button.tsx';
import { CompiledText } from './compiled-text.tsx';
import { parseObject } from './json-object.ts';
import { useTriedValues } from './tried-values.ts';

interface TryItProps {
  readonly promptId: string;
  readonly template: string;
}

/** Fills in the variables of a template and shows what the service would return. Nothing is sent. */
export const TryIt = ({ promptId, template }: TryItProps) => {
  const names = variablesOf(template);
  const [mode, setMode] = useState<'fields' | 'json'>('fields');
  const [values, setValues] = useTriedValues(promptId);
  const [json, setJson] = useState('');
  const { text, missing } = compile(template, values);
  const show = (next: typeof mode) => {
    if (next === 'json') setJson(JSON.stringify(values, undefined, 2));
    setMode(next);
  };
  const typeJson = (next: string) => {
    setJson(next);
    const readable = parseObject(next);
    if (readable) setValues(readable);
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3}>Variables</Title>
          <SegmentedControl
            size="xs"
            aria-label="How to give the variables"
            value={mode}
            onChange={(next) => show(next as typeof mode)}
            data={[
              { value: 'fields', label: 'Fields' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </Group>
        {mode === 'fields' ? (
          <Fields names={names} values={values} onChange={setValues} />
        ) : (
          <JsonInput
            aria-label="Variables as JSON"
            value={json}
            onChange={typeJson}
            autosize
            minRows={6}
            error={parseObject(json) === undefined && 'Enter a JSON object.'}
            spellCheck={false}
            classNames={{ input: 'cv-mono' }}
          />
        )}
      </Stack>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3}>Compiled</Title>
          <CopyTextButton text={text} label="the text" />
        </Group>
        {missing.length > 0 && (
          <Alert color="amber" p="xs" role="status">
            Without a value: {missing.join(', ')}. {missing.length === 1 ? 'It stays' : 'They stay'} as
            written; with <code>strict</code> the call fails.
          </Alert>
        )}
        <CompiledText template={template} variables={values} />
      </Stack>
    </SimpleGrid>
  );
};

interface FieldsProps {
  readonly names: readonly string[];
  readonly values: JsonObject;
  readonly onChange: (values: JsonObject) => void;
}

const Fields = ({ names, values, onChange }: FieldsProps) => {
  const textFor = (name: string): string => {
    const value = Object.hasOwn(values, name) ? values[name] : '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const change = (name: string, value: string) => {
    const others = Object.entries(values).filter(([other]) => other !== name);
    onChange(Object.fromEntries(value === '' ? others : [...others, [name, value]]));
  };
  if (names.length === 0) return <Text c="dimmed">This template has no variables.</Text>;
  return names.map((name) => (
    <Textarea
      key={name}
      label={<span className="cv-mono">{name}</span>}
      value={textFor(name)}
      onChange={(event) => change(name, event.currentTarget.value)}
      autosize
      minRows={1}
      maxRows={8}
      size="xs"
    />
  ));
};
