import { Alert, Group, JsonInput, SegmentedControl, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { compile, variablesOf } from '../../../../../contract/templates.ts';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { promptQuery } from '../prompt-queries.ts';
import { CompiledText } from './compiled-text.tsx';
import { Examples } from './examples.tsx';
import { parseObject } from './json-object.ts';
import { useTriedValues } from './tried-values.ts';
import classes from './try-it.module.css';

const jsonOf = (values: JsonObject): string => JSON.stringify(values, undefined, 2);

interface TryItProps {
  readonly promptId: string;
  readonly template: string;
}

/** Fills in the variables of a template and shows what the service would return. Nothing is sent. */
export const TryIt = ({ promptId, template }: TryItProps) => {
  const names = variablesOf(template);
  // A new prompt has no id yet.
  const { data: details } = useQuery({ ...promptQuery(promptId), enabled: promptId !== '' });
  const examples = details?.examples ?? null;
  const [{ values, json }, setTried] = useTriedValues(promptId, examples?.values ?? {});
  const { text, missing } = compile(template, values);
  const typeJson = (next: string) => setTried({ values: parseObject(next) ?? values, json: next });
  const show = (mode: string) => setTried(mode === 'json' ? { values, json: jsonOf(values) } : { values });
  return (
    <div className={classes.frame}>
      <div className={classes.parts}>
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={3}>Variables</Title>
            <SegmentedControl
              size="xs"
              aria-label="How to enter the variables"
              value={json === undefined ? 'fields' : 'json'}
              onChange={show}
              data={[
                { value: 'fields', label: 'Fields' },
                { value: 'json', label: 'JSON' },
              ]}
            />
          </Group>
          {json === undefined ? (
            <Fields names={names} values={values} onChange={(next) => setTried({ values: next })} />
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
          {details && (
            <Examples
              promptId={promptId}
              examples={examples}
              values={values}
              onUse={(saved) =>
                setTried({ values: saved, ...(json !== undefined && { json: jsonOf(saved) }) })
              }
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
      </div>
    </div>
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
    const entries = Object.entries(values);
    const others = entries.filter(([other]) => other !== name);
    const changed = entries.map(([other, old]) => [other, other === name ? value : old] as const);
    const next = others.length < entries.length ? changed : [...entries, [name, value] as const];
    onChange(Object.fromEntries(value === '' ? others : next));
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
