import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { useFields } from '../../../components/dialogs.tsx';
import { authored } from '../../../components/prompt-content.ts';
import { PublishForm } from '../editor/publishing.tsx';
import type { Prompt, Version } from '../prompt-queries.ts';

/** Publishes the content of a version again, under a new number. */
export const PublishAgainForm = ({ prompt, version }: { prompt: Prompt; version: Version }) => {
  const [part, onPart] = useState<VersionPart>();
  const form = useFields({ note: `Back to ${version.version}` });
  const body = { ...authored(version), ...form.values };
  return (
    <>
      <Text mb="sm">A new version with the content of {version.version}. It becomes the latest.</Text>
      <PublishForm {...{ prompt, part, onPart, body }}>
        <TextInput label="Note" {...form.text('note')} />
      </PublishForm>
    </>
  );
};
