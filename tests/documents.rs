//! A report says the same as text, as a page and as Markdown: the headings and the numbers of the terminal stand in the others in the same
//! order, among what only those have room for.

use crate::support::{folder, root, run_in};

/// A text without the tags of HTML, its style and its scripts.
fn of_page(page: &str) -> String {
    let main = page.split_once("<main id=\"page\">").and_then(|(_, rest)| rest.split_once("</main>")).unwrap().0;
    let texts = main.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    texts.map(|text| format!("{text} ")).collect::<String>().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The numbers of a text, in order.
fn numbers(text: &str) -> Vec<String> {
    let parts = text.split(|sign: char| !sign.is_ascii_digit() && sign != '.');
    let trimmed = parts.map(|part| part.trim_matches('.'));
    trimmed.filter(|part| !part.is_empty()).map(str::to_string).collect()
}

/// The first of these that is not found in the others behind the one before it, with some of those before.
fn first_missing<'a>(wanted: &'a [String], all: &[String]) -> Option<&'a [String]> {
    let mut rest = all.iter();
    let missing = wanted.iter().position(|one| !rest.any(|other| other == one))?;
    wanted.get(missing.saturating_sub(6)..=missing)
}

/// Runs a command that reports, and compares the forms of its report.
#[track_caller]
fn says_the_same(line: &str) {
    let folder = folder(&[]);
    let (page, markdown) = (folder.name("report.html"), folder.name("report.md"));
    let ran = run_in(root(), &format!("{line} --report {page}")).ends(0);
    run_in(root(), &format!("{line} --report {markdown}")).ends(0);
    let (page, markdown) = (folder.read("report.html"), folder.read("report.md"));
    let of_page_heads: Vec<String> = page.split("<h2>").skip(1).map(|part| part.split_once("</h2>").unwrap().0.to_string()).collect();
    let heads: Vec<String> = markdown.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_string).collect();
    let plain = |head: &String| head.replace("&amp;", "&").replace('\\', "");
    let shared = heads.iter().filter(|head| *head != "What this rests on").map(plain);
    let on_page: Vec<String> = of_page_heads.iter().filter(|head| !head.starts_with("The board")).map(plain).collect();
    assert_eq!(on_page, shared.collect::<Vec<_>>(), "headings of the page and in Markdown");
    // How long it took is not a part of the report, and thinking takes another time in each run.
    let text: String = ran.out.lines().filter(|line| !line.contains(" a second")).map(|line| format!("{line}\n")).collect();
    let of_text: Vec<String> = text.lines().filter(|line| on_page.iter().any(|head| head == line)).map(str::to_string).collect();
    assert!(of_text.len() >= 2, "{text}");
    assert_eq!(first_missing(&of_text, &on_page), None, "headings");
    let text = if line.starts_with("tournament") { text.split("Rating").next().unwrap().to_string() } else { text };
    // A page numbers its lists itself.
    let unmarked = text.lines().map(|line| match line.trim().split_once(". ") {
        Some((mark, rest)) if mark.chars().all(|sign| sign.is_ascii_digit()) => rest,
        _ => line,
    });
    let wanted = numbers(&unmarked.collect::<Vec<_>>().join("\n"));
    assert!(wanted.len() > 12, "{text}");
    for (form, said) in [("page", of_page(&page)), ("Markdown", markdown.replace('\\', ""))] {
        assert_eq!(
            first_missing(&wanted, &numbers(&said)),
            None,
            "numbers of the terminal that the {form} does not have there, in\n{text}"
        );
    }
}

#[test]
fn a_playtest_says_the_same_in_all_forms() {
    says_the_same("playtest nations -n 30 --players 3 --agents random --hooks");
    says_the_same("playtest nations -n 8 --players 1 --agents random");
    says_the_same("playtest nations-dice -n 25 --players 2 --agents random,greedy:1 --lang fr");
    says_the_same("playtest nations-dice -n 12 --players 2 --agents random --cards");
}

#[test]
fn a_comparison_says_the_same_in_all_forms() {
    says_the_same("compare nations -n 30 --players 2 --agents random --with 'change bonus by +2'");
    says_the_same("compare nations-dice -n 30 --players 2 --agents random --with 'change start_dice by +1' --all");
    says_the_same("compare nations-dice -n 24 --players 2 --ladder random,greedy:1 --with 'change start_dice by +1'");
}

#[test]
fn a_tournament_says_the_same_in_all_forms() {
    says_the_same("tournament nations-dice -n 8 --players 2 --agents random,greedy:1");
}
