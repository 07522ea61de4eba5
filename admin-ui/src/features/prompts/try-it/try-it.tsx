import {
  Alert,
  Button,
  Group,
  JsonInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, fits, isRequired, withDefaults } from '../../../../../contract/content/variables.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { useRole, useSession } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { parseObject, readValue, shown } from '../editor/values.ts';
import { saveExamples } from '../prompt-changes.ts';
import { type PromptDetails, promptQuery } from '../prompt-queries.ts';
import { Messages, MessageText, TemplateText } from '../versions/template-text.tsx';
import { listOf, placeholdersOf, textIn, tryContent } from './compiled.ts';
import { RunOnModel } from './run-on-model.tsx';

const jsonOf = (values: JsonObject): string => JSON.stringify(values, undefined, 2);

interface Tried {
  readonly values: JsonObject;
  /** The text of the values while they are edited as JSON, which may not be readable yet. */
  readonly json?: string | undefined;
  /** The JSON texts of lists of messages, by the names of their placeholders. */
  readonly lists: Readonly<Record<string, string>>;
}

// In the page alone, never in storage: values may be confidential. Kept until the page is left or loaded again.
const tried = new Map<string, Tried>();

/** Fills in the variables of a content, at first its saved examples, and shows what the service would return. Nothing is sent, unless it is run on a model. */
export const TryIt = ({ promptId, content }: { promptId: string; content: Content }) => {
  // A new prompt has no id yet.
  const { data: details } = useQuery({ ...promptQuery(promptId), enabled: promptId !== '' });
  const [typed, setTyped] = useState(() => tried.get(promptId));
  const now: Tried = typed ?? { values: details?.examples?.values ?? {}, lists: {} };
  const { values, json, lists } = now;
  const names = variablesIn(content);
  const isEditor = useRole().can('editor');
  const canRun = useSession().config.models !== undefined && isEditor;
  const set = (change: Partial<Tried>) => {
    const next = { ...now, ...change };
    // Of a new prompt, nothing identifies the values.
    if (promptId !== '') tried.set(promptId, next);
    setTyped(next);
  };
  return (
    <SimpleGrid type="container" cols={{ base: 1, '44rem': 2 }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3}>Variables</Title>
          <SegmentedControl
            aria-label="How to enter the variables"
            value={json === undefined ? 'fields' : 'json'}
            onChange={(mode) => set({ json: mode === 'json' ? jsonOf(values) : undefined })}
            data={[
              { value: 'fields', label: 'Fields' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </Group>
        {json === undefined && names.length === 0 && (
          <Text size="md" c="dimmed">
            This template has no variables.
          </Text>
        )}
        {json === undefined ? (
          names.map((name) => (
            <Field
              key={name}
              name={name}
              declaration={declared(content.variables, name)}
              value={Object.hasOwn(values, name) ? values[name] : undefined}
              onChange={(value) => {
                const { [name]: _, ...others } = values;
                set({ values: value === undefined ? others : { ...values, [name]: value } });
              }}
            />
          ))
        ) : (
          <JsonInput
            aria-label="Variables as JSON"
            value={json}
            onChange={(next) => set({ values: parseObject(next) ?? values, json: next })}
            minRows={6}
            error={parseObject(json) === undefined && 'Enter a JSON object.'}
          />
        )}
        {placeholdersOf(content).map(({ name, optional }) => {
          const text = textIn(lists, name);
          return (
            <JsonInput
              key={name}
              size="xs"
              label={<span className="cv-mono">{name}</span>}
              description={`A JSON array of messages${optional === true ? ', optional' : ''}.`}
              placeholder='[{"role": "user", "content": "…"}]'
              value={text}
              onChange={(next) => set({ lists: { ...lists, [name]: next } })}
              error={text.trim() !== '' && listOf(text) === undefined && 'Enter a JSON array of messages.'}
              minRows={2}
              maxRows={10}
            />
          );
        })}
        {details && (
          <Examples
            {...{ promptId, values }}
            examples={details.examples}
            onUse={(saved) => set({ values: saved, json: json === undefined ? undefined : jsonOf(saved) })}
          />
        )}
      </Stack>
      <Stack gap="lg">
        <Result content={content} values={values} lists={lists} />
        {canRun && <RunOnModel prompt={details?.prompt} content={content} values={values} lists={lists} />}
      </Stack>
    </SimpleGrid>
  );
};

const Result = ({ content, values, lists }: Tried & { readonly content: Content }) => {
  const { text, missing, missingLists } = tryContent(content, values, lists);
  const filled = withDefaults(content.variables, values);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3}>Compiled</Title>
        <CopyTextButton text={text} label={content.type === 'chat' ? 'the messages' : 'the text'} />
      </Group>
      {missing.length > 0 && (
        <Alert color="amber" p="xs" role="status">
          Without a value: {missing.join(', ')}. {missing.length === 1 ? 'It stays' : 'They stay'} as written;
          with <code>strict</code> the call fails.
        </Alert>
      )}
      {missingLists.length > 0 && (
        <Alert color="amber" p="xs" role="status">
          Without messages: {missingLists.join(', ')}. The clients report <code>missing_placeholders</code>.
        </Alert>
      )}
      {content.type === 'chat' ? (
        <Messages
          label="Compiled messages"
          messages={content.messages}
          values={filled}
          listFor={({ name }) => {
            const list = listOf(textIn(lists, name)) ?? [];
            return list.length === 0 ? undefined : (
              <MessageText>{list.map((each) => JSON.stringify(each)).join('\n')}</MessageText>
            );
          }}
        />
      ) : (
        <TemplateText label="Compiled text" text={content.prompt} values={filled} />
      )}
    </Stack>
  );
};

interface ExamplesProps {
  readonly promptId: string;
  readonly examples: PromptDetails['examples'];
  readonly values: JsonObject;
  readonly onUse: (values: JsonObject) => void;
}

const Examples = ({ promptId, examples, values, onUse }: ExamplesProps) => {
  const { can } = useRole();
  const isEmpty = Object.keys(values).length === 0;
  const isSame = JSON.stringify(values) === JSON.stringify(examples?.values ?? {});
  const { mutate, isPending, error } = useAction(async () => {
    await saveExamples(promptId, values);
    notifyDone(isEmpty ? 'The example values are removed.' : 'The example values are saved.');
  });
  return (
    <div>
      <Group gap="xs">
        {can('editor') && !isSame && (
          <RowButton loading={isPending} onClick={() => mutate()}>
            {isEmpty ? 'Remove the examples' : 'Save as examples'}
          </RowButton>
        )}
        {examples && !isSame && (
          <Button size="compact-xs" variant="subtle" onClick={() => onUse(examples.values)}>
            Use the saved examples
          </Button>
        )}
      </Group>
      <Refusal error={error} />
      <Small mt={4}>
        {examples && (
          <>
            Examples saved <When at={examples.savedAt} short /> by {examples.savedBy}.{' '}
          </>
        )}
        Every operator sees saved examples: do not save secrets in them.
      </Small>
    </div>
  );
};

interface FieldProps {
  readonly name: string;
  readonly declaration: VariableDeclaration | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const hintOf = ({ type, description, enum: allowed }: VariableDeclaration): string =>
  [description, allowed || type === 'string' ? undefined : type].filter(Boolean).join(' · ');

const Field = ({ name, declaration, value, onChange }: FieldProps) => {
  const type = declaration?.type ?? 'string';
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const read = (next: string | null) => onChange(next === null ? undefined : (readValue(next, type) ?? next));
  const isOff = declaration !== undefined && value !== undefined && !fits(value, declaration);
  const common = {
    size: 'xs',
    label: <span className="cv-mono">{name}</span>,
    description: declaration && hintOf(declaration),
    placeholder:
      declaration && !isRequired(declaration) ? `default: ${shown(declaration.default, type)}` : '',
    error: isOff && 'Does not fit the declaration: with strict, the call fails.',
  } as const;
  const choices =
    type === 'boolean' ? ['true', 'false'] : declaration?.enum?.map((each) => shown(each, type));
  return choices === undefined ? (
    <Textarea
      {...common}
      value={text}
      onChange={(event) => read(event.currentTarget.value || null)}
      autosize
      minRows={1}
      maxRows={8}
    />
  ) : (
    <Select
      {...common}
      data={[...new Set([...choices, ...(text === '' ? [] : [text])])]}
      value={text === '' ? null : text}
      clearable
      onChange={read}
      allowDeselect
    />
  );
};
