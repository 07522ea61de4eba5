import { Button, Input, JsonInput, Stack, TagsInput, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { variablesOf } from '../../../../../contract/templates.ts';
import { byNeed } from '../../../components/by-need.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { parseObject } from '../try-it/json-object.ts';
import { TryIt } from '../try-it/try-it.tsx';
import { Variables } from '../versions/version-content.tsx';
import type { Content } from './content.ts';
import classes from './content-form.module.css';
import { TemplateFacts } from './template-facts.tsx';

const TemplateEditor = byNeed(
  'template-editor',
  async () => (await import('./template-editor.tsx')).TemplateEditor,
);

/** Says on a button that Ctrl+Enter presses it; the screen listens for it. */
export const PUBLISH_KEYS = { title: 'Ctrl+Enter', 'aria-keyshortcuts': 'Control+Enter Meta+Enter' } as const;

export interface ContentFormProps {
  /** Whose values the text is tried with. */
  readonly promptId: string;
  readonly content: Content;
  readonly onChange: (content: Content) => void;
  /** Shown above the template. */
  readonly above?: ReactNode;
  /** Shown above the note. */
  readonly beside?: ReactNode;
}

/** The fields of a version: template, variables, note, tags, metadata. */
export const ContentForm = ({ promptId, content, onChange, above, beside }: ContentFormProps) => {
  const set = (change: Partial<Content>) => onChange({ ...content, ...change });
  const [isTrying, setIsTrying] = useState(false);
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        {above}
        <div className={classes.editor}>
          <Input.Label component="div">Template</Input.Label>
          <Input.Description mb={5}>
            Write placeholders as {'{{name}}'}: applications send the values.
          </Input.Description>
          <TemplateEditor label="Template" value={content.prompt} onChange={(prompt) => set({ prompt })} />
          <TemplateFacts template={content.prompt} />
        </div>
        <Panel
          title={isTrying ? 'Try it' : 'Variables'}
          actions={
            <Button variant="default" size="xs" onClick={() => setIsTrying(!isTrying)}>
              {isTrying ? 'Variables' : 'Try it'}
            </Button>
          }
        >
          {isTrying ? (
            <TryIt promptId={promptId} template={content.prompt} />
          ) : (
            <Variables names={variablesOf(content.prompt)} />
          )}
        </Panel>
      </Stack>
      <Stack gap="md">
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
          clearable={false}
        />
        <JsonInput
          label="Metadata"
          description="A JSON object that applications receive with the text."
          placeholder='{"model": "small"}'
          value={content.metadata}
          onChange={(metadata) => set({ metadata })}
          error={parseObject(content.metadata) === undefined && 'Enter a JSON object.'}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: 'cv-mono' }}
        />
      </Stack>
    </div>
  );
};
