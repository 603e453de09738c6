"""Archives (`.plybook`): a match and its forks whole, in one file that verifies by itself.

`form` says what the lines are, `writing` makes them, `reading` checks them one by one,
`verifying` referees what they come to, `importing` puts it into a book.
"""
