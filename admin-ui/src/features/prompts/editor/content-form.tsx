import {
  Alert,
  Box,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  SegmentedControl,
  Stack,
  Table,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Fragment, memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { hintOn } from '../../../../../contract/content/blocks.ts';
import {
  VARIABLE_TYPES,
  type VariableDeclaration,
  type VariableType,
} from '../../../../../contract/content/content.ts';
import { templatesOf, variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, fits, isRequired } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { Framed, Panel, Small } from '../../../components/basics.tsx';
import { counted, inDigits, joined, listed } from '../../../components/locale.ts';
import { byNeed } from '../../../components/states.tsx';
import { type Effects, expandedBy } from '../impact/impact-panel.tsx';
import { TryIt } from '../try-it/try-it-by-need.tsx';
import { textOf } from '../versions/text-parts.ts';
import { VariablesTable } from '../versions/variables-table.tsx';
import { type TextFields, textFieldsIn } from '../versions/version-text.ts';
import { type Body, type Edited, ofType, readValue, undeclaredIn } from './content.ts';
import classes from './content-form.module.css';
import { strayBracesOf } from './stray-braces.ts';

const EMPTY = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} } as const;

interface VariableFieldsProps {
  name: string;
  declaration: VariableDeclaration;
  onChange: (declaration: VariableDeclaration) => void;
}

/** The cells of a variable in the table, edited in place, and its description. What does not fit the type stays as text, which is refused. */
const variableFields = ({ name, declaration, onChange }: VariableFieldsProps) => {
  const { type, enum: allowed = [], default: preset, description = '' } = declaration;
  const set = (change: Partial<Record<keyof VariableDeclaration, unknown>>) => {
    const { type: next = type, ...fields } = { ...declaration, ...change } as VariableDeclaration;
    const read = (value: unknown) => readValue(textOf(value), next) ?? value;
    onChange({
      type: next,
      ...(fields.default !== undefined && { default: read(fields.default) }),
      ...(fields.enum?.length && { enum: fields.enum.map(read) }),
      ...(fields.description && { description: fields.description }),
    });
  };
  return [
    <Fragment key="cells">
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Type of ${name}`}
          data={VARIABLE_TYPES}
          value={type}
          onChange={(event) => set({ type: event.currentTarget.value as VariableType })}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          size="md"
          aria-label={`${name} is required`}
          checked={isRequired(declaration)}
          onChange={(event) =>
            set({ default: event.currentTarget.checked ? undefined : (allowed[0] ?? EMPTY[type]) })
          }
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          aria-label={`Default of ${name}`}
          disabled={isRequired(declaration)}
          value={textOf(preset)}
          onChange={(event) => set({ default: event.currentTarget.value })}
          error={preset !== undefined && !fits(preset, declaration) && 'Does not fit.'}
        />
      </Table.Td>
      <Table.Td>
        <TagsInput
          size="xs"
          styles={{ inputField: { minHeight: 24 } }}
          aria-label={`Allowed values of ${name}`}
          placeholder={allowed.length === 0 ? 'any' : ''}
          value={allowed.map(textOf)}
          onChange={(values) => set({ enum: values })}
        />
      </Table.Td>
    </Fragment>,
    <TextInput
      key="description"
      size="xs"
      aria-label={`Description of ${name}`}
      placeholder="Description"
      value={description}
      onChange={(event) => set({ description: event.currentTarget.value })}
    />,
  ] as const;
};

const TemplateEditor = byNeed(() => import('./template-editor.tsx'));

const MessagesEditor = byNeed(() => import('./messages-editor.tsx'));

/** Says on a button that Ctrl+Enter presses it; the screen listens with `usePublishKeys`. */
export const PUBLISH_KEYS = { title: 'Ctrl+Enter', 'aria-keyshortcuts': 'Control+Enter Meta+Enter' } as const;

/** Publishes on Ctrl+Enter, but not while a dialog is open above the editor. */
export const usePublishKeys = (publish: () => void): void =>
  useHotkeys([['mod+Enter', () => document.querySelector('[role=dialog]') === null && publish()]], [], true);

interface ContentFormProps {
  /** Whose values the text is tried with. */
  promptId: string;
  content: Edited;
  /** What the fields read as. */
  body: Body;
  /** What publishing it would do. */
  effects: Effects;
  onChange: (content: Edited) => void;
  above?: ReactNode;
  beside?: ReactNode;
}

/** The fields of a version: text or messages, variables, what applications pass to the model, note, tags, metadata. */
export const ContentForm = ({
  promptId,
  content,
  body,
  effects,
  onChange,
  above,
  beside,
}: ContentFormProps) => {
  const latest = useRef({ content, onChange });
  latest.current = { content, onChange };
  const set = useCallback((change: Partial<Edited>) => {
    const { current: now } = latest;
    now.onChange({ ...now.content, ...change });
  }, []);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const isChat = content.type === 'chat';
  const { data, error, problem } = effects;
  const ofFragments = content.includes.length > 0 ? problem : undefined;
  const expanded = useMemo(() => expandedBy({ data, error }, body), [data, error, body]);
  const undeclared = useMemo(() => undeclaredIn(body), [body]);
  const unused = useMemo(() => {
    const used = expanded && variablesIn(expanded);
    return Object.keys(body.variables ?? {}).filter((name) => used?.includes(name) === false);
  }, [expanded, body]);
  const { variables: own } = content;
  // A key press in the text changes nothing of it.
  const variables = useMemo(
    () => (
      <VariablesTable
        content={expanded ?? body}
        unused={unused}
        onRemove={(name) => {
          const { [name]: _, ...others } = own;
          set({ variables: others });
        }}
        edit={(name, declaration) => {
          // What the fields show is what was typed last, which the rest follows.
          const typed = declared(own, name) ?? { type: 'string' };
          const isOfFragment = declaration !== undefined && declared(own, name) === undefined;
          // What a fragment declares is changed in the fragment.
          if (isOfFragment) return undefined;
          return variableFields({
            name,
            declaration: typed,
            onChange: (next) => set({ variables: { ...own, [name]: next } }),
          });
        }}
      />
    ),
    [expanded, body, unused, own, set],
  );
  return (
    <div className={classes.columns} data-preview={isPreviewing || undefined}>
      <Stack>
        {above}
        <div className={classes.frame}>
          <Box
            className={classes.editor ?? ''}
            style={{ '--least': isChat ? '4rem' : 'max(14rem, 100vh - 34rem)' }}
          >
            <Group justify="space-between" align="flex-end" mb={5}>
              <div>
                <Input.Label component="div">{isChat ? 'Messages' : 'Template'}</Input.Label>
                <Input.Description>
                  Write placeholders as {'{{name}}'}: applications send the values.
                </Input.Description>
              </div>
              <Group gap={6}>
                <SegmentedControl<Edited['type']>
                  aria-label="Type of the prompt"
                  value={content.type}
                  onChange={(type) => onChange(ofType(content, type))}
                  data={[
                    { value: 'text', label: 'Text' },
                    { value: 'chat', label: 'Chat' },
                  ]}
                />
                <Button
                  variant={isPreviewing ? 'light' : 'default'}
                  size="compact-xs"
                  aria-pressed={isPreviewing}
                  onClick={() => setIsPreviewing(!isPreviewing)}
                >
                  Preview
                </Button>
              </Group>
            </Group>
            {isChat ? (
              <MessagesEditor content={content} onChange={set} />
            ) : (
              <>
                <TemplateEditor
                  label="Template"
                  value={content.prompt}
                  onChange={(prompt) => set({ prompt })}
                />
                <TemplateFacts template={'prompt' in body ? body.prompt : ''} />
              </>
            )}
            <StrayBraces template={templatesOf(body).join('\n')} />
          </Box>
          {isPreviewing && (
            <Panel title="Preview">
              <TryIt promptId={promptId} content={expanded ?? body} />
            </Panel>
          )}
          <div style={{ gridColumn: '1 / -1' }}>
            <Panel title="Variables">{variables}</Panel>
          </div>
        </div>
      </Stack>
      <Stack>
        {beside}
        <Textarea
          label="Note"
          description="What others should know about this version."
          value={content.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
          autosize
          minRows={2}
          maxRows={8}
        />
        <TagsInput
          label="Tags"
          placeholder={content.tags.length === 0 ? 'Type one and press Enter' : ''}
          value={[...content.tags]}
          onChange={(tags) => set({ tags })}
          maxTags={LIMITS.tags}
        />
        {undeclared.length > 0 && (
          <Small c="amber" role="status">
            Served as written until you add them with their versions: {undeclared.join(', ')}.
          </Small>
        )}
        {problem && ofFragments === undefined && (
          <Alert p="xs" role="status">
            {problem}
          </Alert>
        )}
        <ModelFields content={content} onChange={set} problem={ofFragments} />
      </Stack>
    </div>
  );
};

const KB = 1024;
/** Bytes of UTF-8: OpenAI documents about four characters of English text for each token. */
const BYTES_PER_TOKEN = 4;

/** What is in braces and means nothing here, by kind, and how to write what does. */
const STRAY = [
  ['three', (found: string) => `Three braces: the outer ones are sent as text: ${found}. Write {{name}}.`],
  [
    'other',
    (found: string) =>
      `Not placeholders, served as written: ${found}. Placeholders have two braces and a name without spaces: {{name}}.`,
  ],
] as const;

const StrayBraces = memo(({ template }: { template: string }) => {
  const stray = strayBracesOf(template);
  const sentences = STRAY.map(([kind, sentenceOf]) => {
    const found = new Set(stray.flatMap((each) => (each.kind === kind ? each.text : [])));
    return found.size > 0 && sentenceOf(listed([...found]));
  });
  return [hintOn([template]), ...sentences].map(
    (sentence) =>
      sentence && (
        <Small key={sentence} c="amber" mt={5} role="status">
          {visible(sentence)}
        </Small>
      ),
  );
});

const TemplateFacts = memo(({ template }: { template: string }) => {
  const bytes = utf8Bytes(template);
  return (
    <>
      <Small mt={5}>
        {counted(template.length, 'character')},{' '}
        {bytes < KB ? counted(bytes, 'byte') : `${inDigits(Math.round(bytes / KB))} KB`},{' '}
        <span title="Estimated at four bytes for each token. Models differ.">
          about {counted(Math.ceil(bytes / BYTES_PER_TOKEN), 'token')}
        </span>
      </Small>
      {bytes > LIMITS.templateBytes && (
        <Text c="brick" mt="0.4rem" role="alert">
          The template takes {Math.ceil(bytes / KB)} KB; at most {LIMITS.templateBytes / KB} KB fit.
        </Text>
      )}
    </>
  );
});

const PLACEHOLDER = 'config:\n  temperature: 0.2';

interface ModelFieldsProps {
  content: Edited;
  onChange: (change: Partial<Edited>) => void;
  problem: string | undefined;
}

/** What applications pass to the model, besides the text: closed at first, because most versions leave it as it is. */
const ModelFields = ({ content, onChange, problem }: ModelFieldsProps) => {
  const { model, includes, fields } = content;
  const [isOpen, setIsOpen] = useState(includes.length > 0);
  const read = textFieldsIn(fields);
  const wrong = typeof read === 'string' ? read : undefined;
  return (
    <Framed
      component="details"
      open={isOpen || wrong !== undefined || problem !== undefined}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <Box
        component="summary"
        mih={24}
        p="0.5rem 0.75rem"
        fz="sm"
        className="cv-break"
        style={{ cursor: 'pointer' }}
      >
        <Text span fw={600}>
          Model, output and tools
        </Text>
        <Small>{summaryOf(content, read)}</Small>
      </Box>
      <Stack gap="0.75rem" p="0.25rem 0.75rem 0.75rem">
        <TextInput
          label="Model"
          description="The model that applications should call."
          placeholder="anthropic/claude-sonnet"
          value={model}
          onChange={(event) => onChange({ model: event.currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
        />
        <TagsInput
          label="Fragments"
          description={
            'Text prompts, with their versions, that {{> "name"}} inserts when this one is published.'
          }
          placeholder={includes.length === 0 ? 'shared/tone@1.2.0' : ''}
          value={[...includes]}
          onChange={(next) => onChange({ includes: next })}
          maxTags={LIMITS.includes}
          error={problem}
        />
        <Textarea
          label="Configuration, output schema, tools and metadata"
          description="As YAML, as in a prompt file. JSON is YAML too."
          placeholder={PLACEHOLDER}
          value={fields}
          onChange={(event) => onChange({ fields: event.currentTarget.value })}
          error={wrong}
          classNames={{ input: 'cv-mono' }}
          spellCheck={false}
          autosize
          minRows={4}
          maxRows={24}
        />
      </Stack>
    </Framed>
  );
};

const WORDS = {
  config: 'configuration',
  output: 'output schema',
  tools: 'tools',
  metaProperties: 'metadata',
} as const;

const summaryOf = ({ model, includes }: Edited, read: TextFields | string): string => {
  const fields = typeof read === 'string' ? {} : read;
  const names = Object.keys(WORDS) as (keyof TextFields)[];
  const words = names.map((name) => fields[name] && WORDS[name]);
  return joined([model.trim(), includes.length > 0 && 'fragments', ...words], ' · ') || 'nothing set';
};
