import type * as z from 'zod/mini';
import type { ChatContent, Content, Message, TextContent } from '../../../contract/content/content.ts';
import type { draftShape, versionShape } from '../../../contract/shapes/prompts.ts';

/** The content of a version or a draft in a reply. */
export type Found = Omit<z.output<typeof draftShape>, 'baseVersion' | 'rev' | 'savedAt' | 'savedBy'>;

/** The content of a version or a draft as its author wrote it, without the note. */
export const authored = (found: Found): Content => {
  const { variables, model, config, output, tools, includes, tags, metaProperties } = found;
  const fields = { variables, model, config, output, tools, includes, tags, metaProperties };
  return found.type === 'chat'
    ? ({ ...fields, type: 'chat', messages: found.messages ?? [] } satisfies ChatContent)
    : ({ ...fields, prompt: found.prompt } satisfies TextContent);
};

type Expanded = Pick<z.output<typeof versionShape>, 'expanded' | 'expandedVariables'>;

/** A content with the template and the variables that it has with its fragments. */
export const inPlace = (
  { includes: _, ...content }: Content,
  expanded: string,
  variables: Expanded['expandedVariables'],
): Content =>
  content.type === 'chat'
    ? { ...content, variables, messages: JSON.parse(expanded) as Message[] }
    : { ...content, variables, prompt: expanded };

/** What applications get of a version: with its fragments in place. */
export const served = ({ expanded, expandedVariables, ...version }: Found & Partial<Expanded>): Content =>
  expanded === undefined ? authored(version) : inPlace(authored(version), expanded, expandedVariables);

/** Whether there is nothing to publish: a content needs text, or messages that all have some. */
export const isBlank = (content: Content): boolean =>
  content.type === 'chat'
    ? content.messages.length === 0 ||
      content.messages.some((message) => ('type' in message ? message.name : message.content) === '')
    : content.prompt === '';
