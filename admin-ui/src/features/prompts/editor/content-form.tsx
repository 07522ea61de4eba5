import { Button, Group, Input, JsonInput, Stack, TagsInput, Textarea } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { variablesOf } from '../../../../../contract/templates.ts';
import { byNeed } from '../../../components/by-need.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { parseObject } from '../try-it/json-object.ts';
import { TryIt } from '../try-it/try-it-by-need.tsx';
import { Variables } from '../versions/version-content.tsx';
import type { Content } from './content.ts';
import classes from './content-form.module.css';
import { FullScreen } from './maximized.tsx';
import { TemplateFacts } from './template/template-facts.tsx';

const TemplateEditor = byNeed(
  'template-editor',
  async () => (await import('./template/template-editor.tsx')).TemplateEditor,
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
  const [isPreviewing, setIsPreviewing] = useState(false);
  return (
    <div className={classes.columns} data-preview={isPreviewing || undefined}>
      <Stack gap="md">
        {above}
        <FullScreen label="Template">
          {(fullScreen) => (
            <>
              <div className={classes.editor}>
                <Group justify="space-between" align="flex-end" gap="xs" mb={5}>
                  <div>
                    <Input.Label component="div">Template</Input.Label>
                    <Input.Description>
                      Write placeholders as {'{{name}}'}: applications send the values.
                    </Input.Description>
                  </div>
                  <Group gap={6}>
                    <Button
                      variant={isPreviewing ? 'light' : 'default'}
                      size="compact-xs"
                      aria-pressed={isPreviewing}
                      leftSection={<IconEye size={14} aria-hidden />}
                      onClick={() => setIsPreviewing(!isPreviewing)}
                    >
                      Preview
                    </Button>
                    {fullScreen}
                  </Group>
                </Group>
                <TemplateEditor
                  label="Template"
                  value={content.prompt}
                  onChange={(prompt) => set({ prompt })}
                />
                <TemplateFacts template={content.prompt} />
              </div>
              {isPreviewing ? (
                <Panel title="Preview">
                  <TryIt promptId={promptId} template={content.prompt} />
                </Panel>
              ) : (
                <Panel title="Variables">
                  <Variables names={variablesOf(content.prompt)} />
                </Panel>
              )}
            </>
          )}
        </FullScreen>
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
