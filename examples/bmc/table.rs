//! Columns for people.

/// Lines of cells in aligned columns, below a header. Trailing blanks are cut. More than one line, even without rows: the
/// header is no answer by itself.
pub fn table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut lines = vec![header.map(str::to_owned)];
    lines.extend(rows);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let shown = lines.iter().map(|line| {
        let cells = line.iter().zip(widths);
        let padded: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        padded.join(" | ").trim_end().to_owned()
    });
    let mut text = shown.collect::<Vec<_>>().join("\n");
    if lines.len() == 1 {
        text.push('\n');
    }
    text
}

/// What is not known.
pub fn or_na<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "na".into(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = [
            ["Ambient".to_owned(), "21 °C".to_owned(), String::new()],
            ["CPU".to_owned(), "104 °C".to_owned(), "hot".to_owned()],
        ];
        assert_eq!(
            table(["name", "value", ""], rows),
            "name    | value  |\nAmbient | 21 °C  |\nCPU     | 104 °C | hot"
        );
        assert_eq!(
            (or_na(None::<u8>), or_na(Some(1))),
            ("na".into(), "1".into())
        );
    }
}
