"""Draw the line: which topic flows from whom to whom, as `schemas/topics.yaml` states it."""

from stanchion_contracts.topics import REGISTER


def rows() -> list[tuple[str, str, str, str]]:
    """Give (producers, topic, kind, consumers) for each topic, in the order of the line."""
    return [
        (", ".join(topic.producers), topic.key, topic.kind, ", ".join(topic.consumers)) for topic in REGISTER.values()
    ]


def table() -> str:
    """Give the line as a Markdown table."""
    head = ("from", "topic", "kind", "to")
    lines = [head, *rows()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    cells = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([cells[0], rule, *cells[1:]])


if __name__ == "__main__":
    print(table())
