import { Badge, Group } from '@mantine/core';
import { visible } from '../../../contract/content/visible.ts';

/** Tags in a row; beyond the first few, only their number. */
export const Tags = ({ tags, shown }: { tags: readonly string[]; shown: number }) => (
  <Group gap={4}>
    {tags.slice(0, shown).map((tag) => (
      <Badge key={tag} color="gray" maw={180} title={visible(tag)}>
        {visible(tag)}
      </Badge>
    ))}
    {tags.length > shown && (
      <Badge color="gray" variant="outline" title={visible(tags.slice(shown).join(', '))}>
        +{tags.length - shown}
      </Badge>
    )}
  </Group>
);
