import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { served } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { contentOf, readContent } from '../editor/content.ts';
import { partFor } from '../editor/review/breaking.ts';
import { PublishForm } from '../editor/review/publishing.tsx';
import { type Prompt, type Version, versionQuery } from '../prompt-queries.ts';

/** Publishes the content of a version again, under a new number. */
export const PublishAgainForm = ({ prompt, version }: { prompt: Prompt; version: Version }) => {
  const query = useQuery(versionQuery(prompt.promptId, prompt.latest));
  const [chosen, onPart] = useState<VersionPart>();
  const [note, setNote] = useState(`Back to ${version.version}`);
  const { body } = readContent({ ...contentOf(version), note });
  const expanded = served(version);
  return (
    <QueryBoundary query={query}>
      {(latest) => (
        <>
          <Text size="md" mb="sm">
            A new version with the content of {version.version}. It becomes the latest.
          </Text>
          <PublishForm
            {...{ prompt, latest, onPart, body, expanded }}
            part={chosen ?? partFor(served(latest), expanded)}
          >
            <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
          </PublishForm>
        </>
      )}
    </QueryBoundary>
  );
};
