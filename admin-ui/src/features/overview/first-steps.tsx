import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { overviewGet } from '../../../../contract/endpoints/service.ts';
import type { ReplyOf } from '../../api/client.ts';
import { useRole, useSession } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { ButtonLink, Panel, Small, Step } from '../../components/basics.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { notifyDone, Refusal } from '../../components/dialogs.tsx';
import { curlSnippet, secretsCurl } from '../../components/snippet-texts.ts';
import { expiresAt } from '../api-keys/expiry.ts';
import { createKey, examplePromptQuery } from '../api-keys/key-queries.ts';
import { openNewKey, showKey } from '../api-keys/new-key-dialog.tsx';
import { makeSamples } from './samples.ts';

/** What is left to do until an application has fetched something. */
export const FirstSteps = ({ totals }: Pick<ReplyOf<typeof overviewGet>, 'totals'>) => {
  const hasContent = totals.prompts + totals.secrets > 0;
  return (
    <Panel title="Get started">
      <ol className="cv-list cv-rows">
        <Step isDone={hasContent}>
          <Title>Write a prompt, or import the secrets of a .env file</Title>
          {!hasContent && <Content />}
        </Step>
        <Step isDone={totals.ownKeys > 0}>
          <Title>Create an API key for your application</Title>
          {totals.ownKeys === 0 && (
            <Key may={totals.prompts > 0 || totals.secrets === 0 ? 'prompts' : 'secrets'} />
          )}
        </Step>
        <Step isDone={false}>
          <Title>Make the first call</Title>
          {hasContent && (
            <>
              <Text mb={4}>
                Set <code>CUEVAULT_API_KEY</code> to the API key, then run this in a shell:
              </Text>
              <FirstCall hasPrompt={totals.prompts > 0} />
            </>
          )}
          <Text c="dimmed">These steps disappear once an application has fetched something.</Text>
        </Step>
      </ol>
    </Panel>
  );
};

const Title = Text.withProps({ fw: 600, mb: 4 });

const Content = () => {
  const { can } = useRole();
  const { mutate, isPending, error } = useAction(async () => {
    await makeSamples();
    notifyDone('The samples are added.');
  });
  if (!can('editor')) return <Text>Editors and administrators can.</Text>;
  return (
    <>
      <Group>
        <ButtonLink to="/prompts/new">Write a prompt</ButtonLink>
        <ButtonLink to="/secrets/import" variant="default">
          Import a .env file
        </ButtonLink>
        <Button variant="default" onClick={() => mutate()} loading={isPending}>
          Add the samples
        </Button>
      </Group>
      <Refusal error={error} />
    </>
  );
};

const FIRST_DAYS = '90';

/** A key that may read everything of one kind; the dialog of all keys has more choices. */
const Key = ({ may }: { may: 'prompts' | 'secrets' }) => {
  const { can } = useRole();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useAction(async () => {
    const limits = { prompts: [], tags: [], labels: [], cidrs: [] };
    const until = expiresAt({ expiry: FIRST_DAYS, day: '' }, new Date());
    showKey(
      await createKey({
        name: name.trim(),
        permissions: [may],
        ...limits,
        ...(until && { expiresAt: until }),
      }),
    );
  });
  if (!can('admin')) return <Text>Administrators can.</Text>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Group>
        <TextInput
          size="xs"
          aria-label="Name of the application"
          placeholder="Name of the application"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={128}
        />
        <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
          Create a key that can {may === 'prompts' ? 'fetch prompts' : 'read secrets'}
        </Button>
        <Button variant="default" onClick={() => openNewKey()}>
          More choices
        </Button>
      </Group>
      <Small mt={4}>
        It can read all {may}, and expires in {FIRST_DAYS} days.
      </Small>
      <Refusal error={error} />
    </form>
  );
};

const FirstCall = ({ hasPrompt }: { hasPrompt: boolean }) => {
  const { apiUrl } = useSession().config;
  const { data } = useQuery({ ...examplePromptQuery([]), enabled: hasPrompt });
  const text = hasPrompt ? data && curlSnippet({ apiUrl, ...data }) : secretsCurl(apiUrl, {});
  return text && <CodeBlock text={text} label="the first call" />;
};
